type Permissions = { querySync(what: { name: "net" }): { state: string } };

/** Whether ralph may use the network without a prompt: Deno asks the user unless it was allowed at the start. */
export function mayUseNetwork(): boolean {
  const { Deno: deno } = globalThis as { Deno?: { permissions: Permissions } };
  return deno === undefined || deno.permissions.querySync({ name: "net" }).state === "granted";
}
