import type { Needed, Permissions } from "../contracts/permissions.js";

/** Why an operation takes no permission. */
export interface Exemption {
  none: string;
}

/** For whoever has a token; what the response holds depends on who that is. */
export const ANYBODY: Exemption = { none: "whoever has a token may do this" };
/** About the caller's own account, whatever they belong to. */
export const OWN_ACCOUNT: Exemption = { none: "it is about your own account" };

/** What an operation takes: one action, all of several, or nothing, and why. */
export type Declared<Action extends string> = Action | readonly Action[] | Exemption;

/** An operation's permission as the document and tests read it. */
export interface Permission {
  /** All of them are taken. */
  actions: { action: string; role: Needed }[];
  /** Why none is. */
  none?: string;
  /** What the actions do not express: who else may, or what else is required. */
  also?: string;
}

/** Resolves what an operation declares by the table of its service. */
export function permissionOf(declared: Declared<string>, table: Permissions, also?: string): Permission {
  if (typeof declared === "object" && "none" in declared)
    return { actions: [], none: declared.none, ...(also && { also }) };
  const names = typeof declared === "string" ? [declared] : declared;
  const actions = names.map((action) => ({ action, role: table[action as keyof Permissions]! }));
  return { actions, ...(also && { also }) };
}

/** Describes a permission in a sentence or two of Markdown, for the reference; `reader` is whether renderers have it. */
export function describePermission({ actions, none, also }: Permission, reader = false): string {
  const parts = actions.map(({ action, role }) => `\`${action}\` (${rolePhrase(role)})`);
  const takes = none === undefined ? `Takes ${parts.join(" and ")}.` : `Takes no permission: ${none}.`;
  const renderers =
    reader && "Renderers do this with the `apiToken` of a published address, for what its site shows.";
  return [takes, also, renderers].filter(Boolean).join(" ");
}

const rolePhrase = (role: Needed) =>
  role === "guest"
    ? "any membership"
    : role === "admin"
      ? "the role `admin`"
      : `the role \`${role}\` or a higher one`;
