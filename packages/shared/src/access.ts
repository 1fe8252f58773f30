import { type Caller, roleIn, type UserCaller } from "./contracts/callers.js";
import type { Needed, Permissions } from "./contracts/permissions.js";
import { atLeast, type Level } from "./contracts/roles.js";
import { refuse } from "./errors.js";

/** The flags of a thing: what stands after the dot in the names of its actions. */
type Flags<Action, Thing extends string> = {
  [Name in Action as Name extends `${Thing}.${infer Flag}` ? Flag : never]: boolean;
};

/**
 * The guards of a service, and the flags in its responses, both read from its table of permissions: guards are called
 * with the name of an action, never with a role.
 */
export function createGuards<const Table extends Permissions>(table: Table) {
  type Action = keyof Table & string;

  /** Whether a level lets do this; an action that the table does not have is an error, and nobody may do it. */
  function permits(level: Level, action: Action): boolean {
    const minimum = table[action] as Needed | undefined;
    if (minimum === undefined) throw new Error(`There is no permission "${action}"`);
    return minimum === "guest" ? level !== undefined : atLeast(level, minimum);
  }

  /** Refuses who may do too little: 403 naming the role that it takes. */
  function refuseBelow(level: Level, action: Action, what: string): void {
    if (!permits(level, action)) refuse("FORBIDDEN", `${what}: needs the role ${table[action]}`);
  }

  const shown = new Map<string, Record<string, boolean>>();

  /** The flags of a thing at a level: few are possible, and lists show many. */
  function flagsAt(level: Level, thing: string): Record<string, boolean> {
    const name = `${thing}.`;
    const key = name + level;
    let flags = shown.get(key);
    if (!flags) {
      const own = (Object.keys(table) as Action[]).filter((action) => action.startsWith(name));
      flags = Object.fromEntries(own.map((action) => [action.slice(name.length), permits(level, action)]));
      shown.set(key, flags);
    }
    return { ...flags };
  }

  return {
    permits,
    refuseBelow,
    /** The role that an action takes, for messages and as a bound of what may be given. */
    roleFor: <Name extends Action>(action: Name) => table[action],
    /** Guards by the level on a thing: 404 "<what>: not found" below `read`, 403 for a role that does not reach. */
    allow(level: Level, action: Action, what: string): void {
      if (!atLeast(level, "read")) refuse("NOT_FOUND", `${what}: not found`);
      refuseBelow(level, action, what);
    },
    /** Guards by the role in an organization: 404 for strangers, 403 for a role that does not reach, such as a guest's. */
    allowIn(ctx: { caller: Caller }, organization: string, action: Action, what = "Organization"): void {
      const level = roleIn(ctx.caller, organization);
      if (level === undefined) refuse("NOT_FOUND", `${what}: not found`);
      refuseBelow(level, action, what);
    },
    /** The flags in `permissions` of a thing, one for each of its actions. */
    flagsOf: <Thing extends string>(level: Level, thing: Thing) =>
      flagsAt(level, thing) as Flags<Action, Thing>,
  };
}

/** The caller as a user; 403 for a service, which has no account of its own. */
export function userOf(ctx: { caller: Caller }): UserCaller {
  if (ctx.caller.kind !== "user") refuse("FORBIDDEN", "Caller: a user is needed");
  return ctx.caller;
}
