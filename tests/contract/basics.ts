import { z } from "zod";

// The shapes of this folder are typed by hand from the interface that clients know; no service has a hand in them.
// An object holds what is named and nothing else: a field that we add beyond the interface says so where it stands.

export const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
/** ISO 8601 in UTC, to the millisecond. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** An absolute address. */
export const uri = z.url({ protocol: /^https?$/ });
export const role = z.enum(["admin", "create", "edit", "review", "comment", "read"]);
export const roleOrGuest = role.nullable();
export const defaultLevel = z.union([roleOrGuest, z.literal("inherit")]);

export const flags = <Name extends string>(...names: Name[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.boolean()])) as Record<Name, z.ZodBoolean>);

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    items: z.array(item),
    count: z.number().int(),
    next: z.strictObject({ page: z.string() }).optional(),
  });

export const User = z.strictObject({
  object: z.literal("user"),
  id,
  displayName: z.string(),
  email: z.string().optional(),
  photoURL: z.string().optional(),
  urls: z.strictObject({ location: uri }),
});

export const Failure = z.strictObject({
  error: z.strictObject({
    code: z.number().int(),
    message: z.string().regex(/^[^:]+: /),
    // Ours, beyond the interface.
    reason: z.string().regex(/^[a-z_]+$/),
    requestId: z.string(),
    issues: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  }),
});
