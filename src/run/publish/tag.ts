import { gitFailure } from "../../core/publish/git-failure.ts";
import { nextTag, type TagRule, tagOf } from "../../core/publish/next-tag.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { fail, type StepContext, succeed, withRetries } from "./step-context.ts";

/** Others may take the same number at the same time. */
const MOST_NUMBERS = 5;

/**
 * Tags what is done, and pushes the tag. Only a tag that this made is ever deleted again: one whose name another was faster to push.
 * @param remote where the branch was pushed to; null: the tag stays here
 */
export async function tagWork(context: StepContext, rule: TagRule, remote: string | null): Promise<void> {
  const { run, publisher } = context;
  const checkout = await publisher.checkout();
  if ("failed" in checkout) return fail(context, "tag", checkout.failed);
  const { head, isChanged } = checkout.value;
  if (head === null) return fail(context, "tag", "there is no commit yet.", "git status");
  if (isChanged) return fail(context, "tag", "there are changes that are not committed.", "git status");
  for (let tries = 0; tries < MOST_NUMBERS; tries += 1) {
    const tags = await withRetries(run, (signal) => publisher.tags(remote, signal));
    if ("failed" in tags) return fail(context, "tag", tags.failed);
    const { all, head: here } = tags.value;
    const has = tagOf(rule, here);
    if (has !== null && (remote === null || tags.value.remote.includes(has))) return;
    const name = has ?? nextTag(rule, all);
    const made = has === null ? await publisher.tag(name, head, `${name}\n\nRalph-Run: ${run.state().run}\n`) : null;
    if (made !== null && "failed" in made) return fail(context, "tag", made.failed, `git tag ${typedWord(name)}`);
    if (remote === null) return succeed(context, { step: "tag", tag: name, commit: head, text: `Tagged it ${name}.` });
    const ref = `refs/tags/${name}`;
    const sent = await withRetries(run, (signal) =>
      publisher.push({ remote, ref, commit: ref, replaces: null }, signal),
    );
    if ("value" in sent) {
      const text = `Tagged it ${name}, and pushed the tag to ${remote}.`;
      return succeed(context, { step: "tag", tag: name, commit: head, remote, text });
    }
    if (made === null || gitFailure(sent.failed) !== "moved")
      return fail(
        context,
        "tag",
        `${name} is here, but not in ${remote}: ${sent.failed}`,
        `git push ${typedWord(remote)} ${typedWord(ref)}`,
      );
    await publisher.untag(name, made.value);
  }
  fail(context, "tag", "others took the next number each time.");
}
