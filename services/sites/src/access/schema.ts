import { id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** What the path of a request names. */
export const OneSite = z.object({ organizationId: id, siteId: id });
export const siteTitle = text(128, 2);
/** A segment of published addresses. */
export const path = text(100, 1).regex(
  /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u,
  "must be letters, digits, dots, dashes and underscores, a letter or digit first",
);
/**
 * The query parameter of reads that show published addresses: the key of a share link is repeated in them. It opens
 * nothing by itself, and one that is no key of the site is ignored.
 */
export const shareKey = z.string().max(512).optional();

/** The place of a move among siblings: the end when it names nothing. Its two pointers are of the kinds given. */
export const positionOf = <Pointer extends z.ZodType>(pointer: Pointer) =>
  z
    .object({ before: pointer.optional(), after: pointer.optional() })
    .refine(({ before, after }) => !(before && after), "takes `before` or `after`, not both");
