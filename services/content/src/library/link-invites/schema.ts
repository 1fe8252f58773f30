import { id, listOf, paging, roleOrGuest, urls } from "@octavo/shared/contracts/fields";
import { space } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { Collection } from "../collections/schema.js";

const organization = { organizationId: id };
const key = { ...organization, inviteId: id };

/** What goes with what is asked even where a field is wrong in itself, so that one response names everything. */
const together = (field: string, error: string) => ({
  path: [field],
  error,
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
});
const isOnContent = ({ space, collection }: { space?: string; collection?: string }) =>
  space !== undefined || collection !== undefined;

/** The links to the organization, or those to one space or collection. */
export const List = z
  .object({ ...organization, ...paging, space: id.optional(), collection: id.optional() })
  .refine(
    ({ space, collection }) => space === undefined || collection === undefined,
    together("collection", "not together with a space"),
  );
export const Get = z.object(key);
export const Accept = z.object(key);

/** `role` invites to the organization; `level` with `space` or `collection` to that content. */
export const Create = z
  .object({
    ...organization,
    role: roleOrGuest.optional(),
    level: roleOrGuest.optional(),
    space: id.optional(),
    collection: id.optional(),
  })
  .refine(
    ({ space, collection }) => space === undefined || collection === undefined,
    together("collection", "not together with a space"),
  )
  .refine(
    (given) => !isOnContent(given) || given.level !== undefined,
    together("level", "is needed for a space or collection"),
  )
  .refine(
    (given) => !isOnContent(given) || given.role === undefined,
    together("role", "not for a space or collection: `level` is"),
  )
  .refine((given) => isOnContent(given) || given.role !== undefined, together("role", "is needed"))
  .refine(
    (given) => isOnContent(given) || given.level === undefined,
    together("level", "needs a space or collection"),
  );
export const Update = z.object({ ...key, role: roleOrGuest.optional(), level: roleOrGuest.optional() });

const link = {
  object: z.literal("invite"),
  id: z.string(),
  /** Whether it gives nothing that those who may use it cannot have without it. */
  redundant: z.boolean(),
  /** A POST to `accept` accepts the invite. */
  urls: urls("location", "accept"),
};
const LinkToOrganization = z.object({ ...link, role: roleOrGuest }).meta({ id: "InviteLinkToOrganization" });
const LinkToSpace = z.object({ ...link, level: roleOrGuest, space }).meta({ id: "InviteLinkToSpace" });
const LinkToCollection = z
  .object({ ...link, level: roleOrGuest, collection: Collection })
  .meta({ id: "InviteLinkToCollection" });

export const Link = z.union([LinkToSpace, LinkToCollection, LinkToOrganization]).meta({ id: "InviteLink" });
export type Link = z.output<typeof Link>;
export const Links = listOf(Link);
export const Accepted = z.object({}).meta({ id: "AcceptedInvite" });
