import { z } from "zod";
import { keysIn, NO_CURSOR } from "./cursor.js";
import { ROLES } from "./roles.js";

const storable = (value: string) => !/[\0\p{Surrogate}]/u.test(value);

/** Free text of at most `max` characters that PostgreSQL can hold. */
export const text = (max: number, min = 0) =>
  z.string().min(min).max(max).refine(storable, "must not hold NUL characters or halves of surrogate pairs");

/** An id as a path or body names it. What has another form cannot exist, and is refused by the rule as unknown. */
export const id = text(100, 1);
/** One decoded segment of a path. */
export const segment = text(1024, 1);
/** An emoji itself or its code points, such as `1f3e0`; empty for none. */
export const emoji = z
  .string()
  .max(50, { abort: true })
  .refine(
    (value) =>
      /^([0-9a-f]{2,6}(-[0-9a-f]{2,6})*)?$/i.test(value) ||
      (/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(value) &&
        !/[\p{L}\p{Cc}\p{Cs}\s]/u.test(value)),
    "must be an emoji, or its code points such as `1f3e0`",
  );
export const icon = text(50, 1).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be an icon name such as `gear`");
export const uri = z.url().max(2048);
export const httpUrl = z.url({ protocol: /^https?$/ }).max(2048);
/** A domain of e-mail addresses, kept in lower case. */
export const emailDomain = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
    "must be a domain such as `example.com`",
  );
export const timestamp = z.iso.datetime();
const END_OF_TIME = Date.UTC(10_000, 0) - 1;
/** A time that a caller gives, with any offset; it is read in UTC and to the millisecond, as it is stored. */
export const time = z.iso
  .datetime({ offset: true, abort: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) <= END_OF_TIME, {
    message: "must lie in the years 1970 to 9999",
    abort: true,
  })
  .overwrite((value) => new Date(value).toISOString());

export const role = z.enum(ROLES);
/** A role, or `null` for a guest. */
export const roleOrGuest = role.nullable();
/** A role, `null` for nobody, or `inherit` from what the content lies in. */
export const defaultLevel = z.union([role, z.literal("inherit")]).nullable();

export const language = z.enum(
  (
    "en fr de es it pt pt-br ru ja zh yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr " +
    "lt lv et sl"
  ).split(" ") as [string, ...string[]],
);

/** The query of every list: `page` is the opaque cursor of the previous response. */
export const paging = {
  page: z
    .string()
    .max(5000)
    .refine((page) => keysIn(page) !== undefined, NO_CURSOR)
    .optional(),
  limit: z.number().int().min(0).max(1000).default(50),
};
export const order = z.enum(["asc", "desc"]).default("desc");

/** The envelope of a list. In the OpenAPI document a list of `Space` is called `SpaceList`. */
export function listOf<Item extends z.ZodType>(item: Item) {
  const list = z.object({
    items: z.array(item),
    count: z.number().int(),
    next: z.object({ page: z.string() }).optional(),
  });
  const name = item.meta()?.id;
  return name ? list.meta({ id: `${name}List` }) : list;
}

/** A response without a body. */
export const noContent = z.void();

/** The addresses of a response, by what they lead to. */
export const urls = <Key extends string>(...keys: Key[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.string()])) as Record<Key, z.ZodString>);

/** What the caller may do with the response. */
export const permissions = <Flag extends string>(...flags: Flag[]) =>
  z.object(Object.fromEntries(flags.map((flag) => [flag, z.boolean()])) as Record<Flag, z.ZodBoolean>);

export const user = z
  .object({
    object: z.literal("user"),
    id: z.string(),
    displayName: z.string(),
    email: z.string().optional(),
    photoURL: z.string().optional(),
    urls: urls("location"),
  })
  .meta({ id: "User" });
export type User = z.output<typeof user>;
