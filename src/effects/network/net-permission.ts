type Permissions = { querySync(what: { name: "net" }): { state: string } };

/** Whether the network may be asked without a question to the user: Deno puts one where it was not allowed at the start. */
export function mayUseNetwork(): boolean {
  const { Deno: deno } = globalThis as { Deno?: { permissions: Permissions } };
  return deno === undefined || deno.permissions.querySync({ name: "net" }).state === "granted";
}
