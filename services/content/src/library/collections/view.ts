import type { Row } from "../../access/collections.js";
import { levelOn } from "../../access/level.js";
import { flagsOf } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import type { Collection } from "./schema.js";

export const view =
  ({ caller, urls }: Ctx) =>
  (row: Row): Collection => ({
    object: "collection",
    id: row.id,
    title: row.title,
    description: row.description ?? undefined,
    organization: row.organization,
    parent: row.parent ?? undefined,
    defaultLevel: row.default_level,
    urls: { location: urls.api`/collections/${row.id}`, app: urls.app`/c/${row.id}` },
    permissions: flagsOf(levelOn(caller, row), "collection"),
  });
