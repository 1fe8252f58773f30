import { id, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { Integration, Integrations } from "../integrations/schema.js";

export { Integrations };
export const Blocks = z
  .array(
    z
      .object({ name: z.string(), blocks: z.array(Integration.shape.blocks.unwrap().element) })
      .meta({ id: "IntegrationBlocks" }),
  )
  .meta({ id: "SpaceIntegrationBlocks" });
export const Scripts = z
  .array(
    z
      .object({ script: z.string(), contentSecurityPolicy: z.string().optional(), cookies: z.boolean() })
      .meta({ id: "IntegrationScript" }),
  )
  .meta({ id: "IntegrationScriptList" });

/** A part of the name, in any case. */
const search = text(200).optional();
export const List = z.object({ spaceId: id, search, ...paging });
export const OneSpace = z.object({ spaceId: id });
export const ListOnSite = z.object({ organizationId: id, siteId: id, search, ...paging });
export const OneSite = z.object({ organizationId: id, siteId: id });
