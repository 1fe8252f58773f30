import {
  httpUrl,
  id,
  listOf,
  paging,
  roleOrGuest,
  text,
  timestamp,
  urls,
} from "@octavo/shared/contracts/fields";
import { team } from "@octavo/shared/contracts/schemas/team";
import { z } from "zod";

const key = { organizationId: id, samlProviderId: id };

const label = text(30, 1);
/** What administrators set; an empty text takes a part of the connection away again. */
const settings = {
  entityID: text(1024),
  certificate: text(10_000),
  ssoURL: z.union([httpUrl, z.literal("")]),
  defaultTeam: id,
  defaultRole: roleOrGuest,
};

export const List = z.object({ organizationId: id, ...paging });
export const Get = z.object(key);
export const Create = z
  .object({ ...settings })
  .partial()
  .extend({ organizationId: id, label });
export const Update = z
  .object({ label, ...settings })
  .partial()
  .extend(key);
export const Logins = z.object({ organizationId: id });
export type Settings = Omit<Partial<z.output<typeof Update>>, keyof typeof key>;

export const Provider = z
  .object({
    object: z.literal("saml-provider"),
    id: z.string(),
    label: z.string(),
    ssoURL: z.string(),
    entityID: z.string(),
    certificate: z.string(),
    defaultTeam: team.optional(),
    defaultRole: roleOrGuest,
    createdAt: timestamp,
    status: z.enum(["active", "pending"]),
    /** What the identity provider has to be configured with. */
    service: z.object({ acsURL: z.string(), startURL: z.string(), entityID: z.string() }),
    urls: urls("location"),
  })
  .meta({ id: "OrganizationSAMLProvider" });
export type Provider = z.output<typeof Provider>;
export const Providers = listOf(Provider);

const login = z
  .object({ id: z.string(), label: z.string(), startURL: z.string() })
  .meta({ id: "OrganizationSSOProviderLogin" });
export const LoginList = z.object({ items: z.array(login) }).meta({ id: "OrganizationSSOProviderLoginList" });
