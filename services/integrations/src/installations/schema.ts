import { id, paging, segment, text, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { Integration } from "../integrations/schema.js";
import { installationStatus } from "../schemas/installation-status.js";
import { storable } from "./configuration.js";

const selection = z.enum(["all", "selected"]);

export const Installation = z
  .object({
    id,
    status: installationStatus,
    space_selection: selection,
    site_selection: selection,
    /** How many spaces have an installation of their own. */
    spaces: z.number().int(),
    configuration: z.record(z.string(), z.unknown()),
    createdAt: timestamp,
    updatedAt: timestamp,
    urls: urls("location", "app", "publicEndpoint"),
    externalIds: z.array(z.string()),
    target: z.object({ organization: z.string() }),
  })
  .meta({ id: "IntegrationInstallation" });
export type Installation = z.output<typeof Installation>;

/** An installation of an organization beside what is installed. */
export const InstalledIntegration = z
  .object({ installation: Installation, integration: Integration })
  .meta({ id: "InstalledIntegration" });
export const IntegrationStatus = z
  .object({ status: installationStatus, integration: Integration })
  .meta({ id: "IntegrationInstallationStatus" });
export const OneStatus = z.object({ status: installationStatus }).meta({ id: "InstallationStatus" });

export const ListInOrganization = z.object({
  organizationId: id,
  search: text(200).optional(),
  ...paging,
});
export const GetStatus = z.object({ organizationId: id, integrationName: segment });

const externalId = text(1000, 1);

export const Install = z.object({ integrationName: segment, organization: id });
export const One = z.object({ integrationName: segment, installationId: id });
export const List = z.object({ integrationName: segment, externalId: externalId.optional(), ...paging });
export const Update = One.extend({
  externalIds: z.array(externalId).max(5).optional(),
  configuration: z
    .record(text(200), z.unknown())
    .refine(storable, "must hold no NUL character, no broken Unicode and at most 100 000 bytes")
    .optional(),
  space_selection: selection.optional(),
  site_selection: selection.optional(),
});
