import { type Caller, roleIn, type UserCaller } from "./contracts/callers.js";
import { atLeast, type Level, type Role } from "./contracts/roles.js";
import { refuse } from "./errors.js";

/** Guards: 404 "<what>: not found" for a caller who may not even read, 403 for one who may not do this. */
export function allow(level: Level, minimum: Role, what: string): void {
  if (!atLeast(level, "read")) refuse("NOT_FOUND", `${what}: not found`);
  if (!atLeast(level, minimum)) refuse("FORBIDDEN", `${what}: needs the role ${minimum}`);
}

/** Guards by the role in an organization; a guest is seen (403), a stranger is not (404). */
export function allowIn(
  ctx: { caller: Caller },
  organization: string,
  minimum: Role | "guest",
  what = "Organization",
): void {
  const level = roleIn(ctx.caller, organization);
  if (level === undefined) refuse("NOT_FOUND", `${what}: not found`);
  if (minimum !== "guest" && !atLeast(level, minimum))
    refuse("FORBIDDEN", `${what}: needs the role ${minimum}`);
}

/** The caller as a user; 403 for a service, which has no account of its own. */
export function userOf(ctx: { caller: Caller }): UserCaller {
  if (ctx.caller.kind !== "user") refuse("FORBIDDEN", "Caller: a user is needed");
  return ctx.caller;
}
