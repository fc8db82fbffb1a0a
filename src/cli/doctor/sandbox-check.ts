import { type CheckResult, failed, passed } from "../../core/report/check-result.ts";
import type { SandboxOptions } from "../../effects/sandbox/sandbox.ts";

/** Whether the sandbox of the settings works here; empty without one. Nothing is installed. */
export async function sandboxCheck(options: SandboxOptions): Promise<CheckResult[]> {
  const { SANDBOX } = options.settings;
  if (SANDBOX === "none") return [];
  const { sandboxFault } = await import("../../effects/sandbox/sandbox.ts");
  const fault = await sandboxFault(options);
  return [fault === null ? passed("sandbox", `${SANDBOX} works here`) : failed("sandbox", fault.what, fault.hint)];
}
