import { id, listOf, paging, segment, text, urls } from "@octavo/shared/contracts/fields";
import { space } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { storable } from "../installations/configuration.js";
import { installationStatus } from "../schemas/installation-status.js";

const base = {
  /** The name of the integration. */
  integration: z.string(),
  /** The id of the installation in the organization. */
  installation: z.string(),
  status: installationStatus,
  configuration: z.record(z.string(), z.unknown()),
  externalIds: z.array(z.string()),
  urls: urls("location", "publicEndpoint"),
};

/** A site as the sites service shows it, which names its fields. */
const site = z.looseObject({ object: z.literal("site"), id: z.string() });

// `space` and `site` are ids, or the things themselves where they are asked for and the caller may see them.
export const SpaceInstallation = z
  .object({ ...base, space: z.union([z.string(), space]) })
  .meta({ id: "IntegrationSpaceInstallation" });
export const SiteInstallation = z
  .object({ ...base, site: z.union([z.string(), site]) })
  .meta({ id: "IntegrationSiteInstallation" });
export const SpaceInstallations = listOf(SpaceInstallation);
export const SiteInstallations = listOf(SiteInstallation);
export type SpaceInstallation = z.output<typeof SpaceInstallation>;
export type SiteInstallation = z.output<typeof SiteInstallation>;

const externalId = text(1000, 1);
const extended = z.boolean().default(false);
const installation = { integrationName: segment, installationId: id };

export const List = z.object({ ...installation, extended, ...paging });
export const ListOfIntegration = z.object({
  integrationName: segment,
  externalId: externalId.optional(),
  extended,
  ...paging,
});

const changes = {
  externalIds: z.array(externalId).max(5).optional(),
  configuration: z
    .record(text(200), z.unknown())
    .refine(storable, "must hold no NUL character, no broken Unicode and at most 100 000 bytes")
    .optional(),
};

export const InstallOnSpace = z.object({ ...installation, space: id, extended });
export const OnSpace = z.object({ ...installation, spaceId: id });
export const GetOnSpace = OnSpace.extend({ extended });
export const UpdateOnSpace = GetOnSpace.extend(changes);

export const InstallOnSite = z.object({ ...installation, siteId: id, extended });
export const OnSite = z.object({ ...installation, siteId: id });
export const GetOnSite = OnSite.extend({ extended });
export const UpdateOnSite = GetOnSite.extend(changes);
