import { EMPTY_SCHEMA } from "../claims/schema.js";
import type { Row } from "../store/adaptive-schema.js";
import type { Row as Site } from "../store/sites.js";
import type { SiteAdaptiveSchema } from "./schema.js";

export const view = (site: Pick<Site, "created_at">, row: Row | undefined): SiteAdaptiveSchema => ({
  object: "site-adaptive-schema",
  jsonSchema: row?.json_schema ?? EMPTY_SCHEMA,
  updatedAt: row?.updated_at ?? site.created_at,
});
