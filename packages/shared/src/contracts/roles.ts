/** The ladder of roles, low to high; a guest has none of them (`null`). Source: the roles of the interface. */
export const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** `undefined` is no relation at all, `null` a guest. */
export type Level = Role | null | undefined;

/** Whether a level is a role and at least this one. */
export function atLeast(level: Level, minimum: Role): boolean {
  return level !== null && level !== undefined && ROLES.indexOf(level) >= ROLES.indexOf(minimum);
}

/** Whether no role is above a level. */
export const isHighest = (level: Level): boolean => level === ROLES.at(-1);

/** The higher of two roles. */
export function higher(one: Role, other: Role): Role {
  return atLeast(one, other) ? one : other;
}
