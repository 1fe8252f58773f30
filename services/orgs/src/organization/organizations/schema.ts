import { emailDomain, httpUrl, id, listOf, paging, roleOrGuest, text } from "@octavo/shared/contracts/fields";
import {
  communityType,
  organization,
  organizationType,
  useCase,
} from "@octavo/shared/contracts/schemas/organization";
import { z } from "zod";

const title = text(255, 2);
export const hostname = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/,
    "must be 3 to 32 characters of a-z, 0-9 and - that neither begin nor end with -",
  );
const defaultContent = z.object({ type: z.literal("site"), site: id });

/** What administrators may set; everything else about an organization is not theirs to change. */
const settings = {
  title,
  emailDomains: z.array(emailDomain).max(100),
  hostname,
  defaultRole: roleOrGuest,
  defaultContent: defaultContent.nullable(),
  logo: httpUrl.nullable(),
  sso: z.boolean(),
  ai: z.boolean().describe("Kept for clients; nothing in Octavo reads it."),
  inviteLinks: z.boolean(),
};

export const Settings = z.object(settings).partial();
export type Settings = z.output<typeof Settings>;
export const Lookup = z.object({ ids: z.array(id).max(1000) });
export const List = z.object(paging);
export const Get = z.object({ organizationId: id });
export const ListOfDomain = z.object({ emailDomain });
export const OfDomain = z
  .object({ organizations: z.array(organization) })
  .meta({ id: "EmailDomainOrganizations" });
export const Update = Settings.extend({ organizationId: id });
export const Create = Settings.extend({
  title,
  type: organizationType.default("business"),
  useCase: useCase.optional(),
  communityType: communityType.optional(),
});

export { organization };
export const Organizations = listOf(organization);
