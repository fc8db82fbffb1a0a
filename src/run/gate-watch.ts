import { isTestFile } from "../core/answer/test-file.ts";
import { gateCommands } from "../core/decide/gate-rules.ts";
import { asTexts, type ChangedFile, changedGateFiles, describeChanges } from "../core/gates/changed-files.ts";
import type { GateChange, WeakerReason } from "../core/gates/compare.ts";
import { isMixed } from "../core/gates/frozen-parts.ts";
import {
  type GateFileRules,
  gateFileRules,
  hiddenFromTree,
  isGateFile,
  withLinkTargets,
} from "../core/gates/gate-files.ts";
import { missingTests, type WeakerEvidence } from "../core/gates/gate-trust.ts";
import {
  FROZEN_FILE,
  type FrozenFile,
  type FrozenFiles,
  formatFrozen,
  isStillMeasure,
  LAST_SEEN_FILE,
  MAX_KEPT_BYTES,
  MAX_KEPT_FILES,
  parseFrozen,
  parseLastSeen,
  textOf,
} from "../core/gates/kept-gates.ts";
import type { EventBody } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import { warning } from "../core/journal/warning.ts";
import type { Settings } from "../core/settings/settings.ts";
import { count } from "../core/text/count.ts";
import { truncate } from "../core/text/truncate.ts";
import type { GateFiles, Snapshot, World } from "../effects/ports.ts";
import { createFrozenTrial, type Probe } from "./frozen-trial.ts";

const MOST_REASONS = 20;
/** The gate files of a tree that differ from the frozen ones. */
export type GateLook = { tree: Snapshot; changed: readonly ChangedFile[] };

/** What the run gives: where the watch reads and records. */
export type WatchParts = {
  world: Pick<World, "gateFiles">;
  settings: Settings;
  state(): State;
  append(body: EventBody): unknown;
};

/** Watches the files that the gates of a run execute and read (product.md "Gates that hold"). */
export type GateWatch = {
  /** Freezes them; call it before the first agent starts. Without gates it does nothing. */
  begin(tree: Snapshot): void;
  /** What changed in their files. Call it before they run: a test may put back what it ran from. */
  look(tree: Snapshot): GateLook;
  /**
   * Judges gates that were green on the tree that was looked at; records whether they got weaker.
   * @returns false if a stop cut it short
   */
  judge(look: GateLook, probe: Probe): Promise<boolean>;
  /** The gate files that a sandboxed agent may not write: scripts that gates name, and those of GATE_FILES. Relative paths. */
  fixed(): readonly string[];
  /** Remembers what had changed at the end of work that is not done, to tell a person's later changes from the agent's. */
  end(tree: Snapshot): void;
};

export function createGateWatch({ world, settings, state, append }: WatchParts): GateWatch {
  const { gateFiles } = world;
  const commands = gateCommands(settings);
  let rules: GateFileRules | null = null;
  let frozen: FrozenFiles = new Map();
  /** What the newest judgement compared: a person who accepts the gates accepts this. */
  let judged: readonly ChangedFile[] = [];
  let accepted = 0;

  const note = (text: string) => append(warning(text));
  const tryFrozen = createFrozenTrial({ gateFiles, commands, note });

  function begin(tree: Snapshot): void {
    if (commands.length === 0) return;
    const earlier = state().gate_trust.frozen;
    const old = earlier === null ? null : readFrozen(earlier);
    const readText = (path: string) => {
      const content = old?.get(path)?.content ?? gateFiles.read(path);
      return content === null ? null : textOf(content);
    };
    const { leadsTo } = gateFiles;
    const byCommand = gateFileRules({ commands, extra: settings.GATE_FILES, read: readText, leadsTo });
    rules = withLinkTargets(byCommand, gateFiles.list(tree), leadsTo);
    const now = present(gateFiles, tree, rules);
    const files = withContents(gateFiles, now);
    const differs = old === null ? [] : continueMeasure(files, now, old, earlier?.run ?? "");
    freeze(files, differs.length === 0 ? null : (earlier?.run ?? null));
    if (differs.length > 0)
      note(
        `The work of run ${earlier?.run} goes on, and is judged by the gates with which it began: ${count(differs.length, "file")} of them changed since (${truncate(differs.join(", "), 200)}). To take them as they are: ralph gates accept`,
      );
  }

  /** Puts the files of an earlier measure in the place of those that changed under its agent; returns their paths. */
  function continueMeasure(
    files: Map<string, FrozenFile>,
    now: ReadonlyMap<string, string>,
    old: FrozenFiles,
    run: string,
  ): string[] {
    const text = gateFiles.kept(run, LAST_SEEN_FILE, null);
    const seen = text === null ? null : parseLastSeen(text);
    const differs: string[] = [];
    for (const [path, file] of old) {
      const id = now.get(path) ?? null;
      if (rules === null || !isGateFile(path, rules) || id === file.id || !isStillMeasure(path, file, seen, id))
        continue;
      files.set(path, file);
      differs.push(path);
    }
    return differs;
  }

  function readFrozen({ run, digest }: { run: string; digest: string }): FrozenFiles | null {
    const text = gateFiles.kept(run, FROZEN_FILE, digest);
    const files = text === null ? null : parseFrozen(text);
    if (files === null)
      note(
        `The gates of run ${run} were not kept as it recorded them: this run takes those that it finds as its measure.`,
      );
    return files;
  }

  function freeze(files: FrozenFiles, continues: string | null): void {
    frozen = files;
    const digest = gateFiles.keep(state().run, FROZEN_FILE, formatFrozen(files));
    const contents = [...files.values()].map(({ content }) => content);
    const unkept = contents.filter((content) => content === null).length;
    const bytes = contents.reduce((sum, content) => sum + (content?.length ?? 0), 0);
    append({ type: "gate_frozen", digest, files: files.size, bytes, unkept, continues });
    if (unkept > 0)
      note(
        `${count(unkept, "file")} of the gates could not be kept, being unreadable or over what a run keeps (${MAX_KEPT_FILES} files, ${MAX_KEPT_BYTES / 1024 / 1024} MB): any change to them counts as weaker.`,
      );
  }

  /** After a person accepted the gates, what the newest judgement compared is the measure. */
  function takeAccepted(): void {
    if (state().gate_trust.accepted === accepted) return;
    accepted = state().gate_trust.accepted;
    const files = new Map(frozen);
    for (const { path, after } of judged) {
      if (after === null) files.delete(path);
      else files.set(path, { id: "accepted", content: after });
    }
    freeze(files, null);
  }

  function look(tree: Snapshot): GateLook {
    if (rules === null) return { tree, changed: [] };
    takeAccepted();
    return { tree, changed: changedGateFiles(gateFiles, frozen, present(gateFiles, tree, rules), rules) };
  }

  async function judge({ tree, changed }: GateLook, probe: Probe): Promise<boolean> {
    if (rules === null) return true;
    judged = changed;
    const change = await compared(judged, rules);
    const fewer = change.kind === "weaker" ? [] : missingTests(state().gate_trust, commands);
    if (change.kind !== "weaker" && fewer.length === 0) return hold();
    const byCount = {
      commands: commands.filter((command) => fewer.some(({ path }) => path === command)),
      evidence: "fewer_tests",
    } as const;
    if (change.kind === "none") {
      weakened(byCount.commands, byCount.evidence, fewer, []);
      return true;
    }
    // Words that only add may still leave tests out: any of the changed files can be why.
    const reasons = change.kind === "adds" ? fewer : change.reasons;
    const places = new Set((change.kind === "adds" ? judged : reasons).map(({ path }) => path));
    const found = await tryFrozen({ tree, changed, places, rules, probe });
    if (found === "stopped") return false;
    if (found === "holds") return hold();
    const { commands: named, evidence } = change.kind === "adds" && found.evidence === "words" ? byCount : found;
    weakened(
      named,
      evidence,
      reasons,
      judged.filter(({ path }) => places.has(path)),
    );
    return true;
  }

  /** What reads tests and settings is much code, and needed only once a file of a gate changed: no start waits for it. */
  async function compared(changed: readonly ChangedFile[], rules: GateFileRules): Promise<GateChange> {
    if (changed.length === 0) return { kind: "none" };
    const { compareGateFiles } = await import("../core/gates/compare.ts");
    const others = new Set(changed.map(({ path }) => path));
    const kept = [...frozen.keys()].filter((path) => !others.has(path));
    return compareGateFiles(
      changed.map((file) => asTexts(file, rules)),
      kept,
    );
  }

  function hold(): true {
    if (state().gate_trust.weakened !== null) append({ type: "gate_restored" });
    return true;
  }

  function weakened(
    named: readonly string[],
    evidence: WeakerEvidence,
    reasons: readonly WeakerReason[],
    files: readonly ChangedFile[],
  ): void {
    append({
      type: "gate_weakened",
      commands: [...named],
      evidence,
      reasons: reasons.slice(0, MOST_REASONS),
      diff: describeChanges(files, rules),
    });
  }

  function end(tree: Snapshot): void {
    if (rules === null) return;
    takeAccepted();
    const now = present(gateFiles, tree, rules);
    const seen = [...new Set([...frozen.keys(), ...now.keys()])]
      .filter((path) => frozen.get(path)?.id !== now.get(path))
      .map((path) => [path, now.get(path) ?? null]);
    gateFiles.keep(state().run, LAST_SEEN_FILE, `${JSON.stringify(Object.fromEntries(seen))}\n`);
  }

  function fixed(): string[] {
    if (rules === null) return [];
    const { named, extra } = rules;
    const isWhole = (path: string) => named.has(path) && !isMixed(path) && !isTestFile(path);
    return [...frozen.keys()].filter((path) => isWhole(path) || extra.some((pattern) => pattern.test(path)));
  }

  return { begin, fixed, look, judge, end };
}

/** The gate files of a tree, with what identifies their content. */
export function present(gateFiles: GateFiles, tree: Snapshot, rules: GateFileRules): Map<string, string> {
  return new Map([...gateFiles.list(tree, hiddenFromTree(rules))].filter(([path]) => isGateFile(path, rules)));
}

/** Reads the files to keep, as far as there is room. */
function withContents(gateFiles: GateFiles, files: ReadonlyMap<string, string>): Map<string, FrozenFile> {
  let room = MAX_KEPT_BYTES;
  let left = MAX_KEPT_FILES;
  const keep = (path: string): Uint8Array | null => {
    const content = left === 0 ? null : gateFiles.read(path, room);
    if (content === null) return null;
    room -= content.length;
    left -= 1;
    return content;
  };
  return new Map([...files].map(([path, id]) => [path, { id, content: keep(path) }]));
}
