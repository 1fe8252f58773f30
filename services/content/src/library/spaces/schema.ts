import {
  defaultLevel,
  emoji,
  httpUrl,
  id,
  language,
  listOf,
  order,
  paging,
  role,
  text,
} from "@octavo/shared/contracts/fields";
import { editMode, space } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { RevisionSource } from "../../computed/schema.js";
import { ApplySpaceTemplate } from "../../templates/schema.js";
import { destination } from "../place/schema.js";

export { space as Space };
export const Spaces = listOf(space);

export const List = z.object({ organizationId: id, ...paging });
export const ListInCollection = z.object({ collectionId: id, ...paging });
export const ListOfMember = z.object({ organizationId: id, userId: id, ...paging, order });
/** What a member may do with a space. */
const memberPermission = z.object({ permission: role, space }).meta({ id: "MemberContentPermission" });
export const MemberPermissions = listOf(memberPermission);
export const Create = z.object({
  organizationId: id,
  title: text(50).default(""),
  emoji: emoji.default(""),
  parent: id.optional(),
  language: language.optional(),
  editMode: editMode.default("locked"),
  template: ApplySpaceTemplate.optional(),
  /** What all pages of it are computed from. */
  computedSource: RevisionSource.optional(),
});
/** What another service creates, under an id that it has noted. */
export const CreateOnce = z.object({
  organizationId: id,
  title: text(50),
  id: z.string().regex(/^[0-9A-Za-z]{22}$/, "must be a new id"),
});
/** `shareKey` is the key of a share link, repeated in the published address; it opens nothing here. */
export const Get = z.object({ spaceId: id, shareKey: z.string().max(512).optional() });
export const One = z.object({ spaceId: id });
export const Update = z
  .object({
    spaceId: id,
    title: text(50).optional(),
    emoji: emoji.nullable().optional(),
    /** The address of an image, instead of an emoji. */
    icon: httpUrl.nullable().optional(),
    defaultLevel: defaultLevel.optional(),
    language: language.optional(),
    editMode: editMode.optional(),
  })
  .refine(({ emoji, icon }) => !(emoji && icon), { path: ["icon"], error: "cannot stand beside an emoji" });
export const Move = z.object({ spaceId: id, ...destination });
export const Transfer = z.object({ spaceId: id, organization: id });
export const Lookup = z.object({ ids: z.array(z.string()).max(1000) });
export const Heads = z.array(z.object({ id: z.string(), organization: z.string(), revision: z.string() }));
