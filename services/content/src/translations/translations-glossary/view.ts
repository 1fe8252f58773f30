import type { Selectable } from "kysely";
import type { GlossaryEntryTable } from "../../db/tables/translations.js";
import type { Ctx } from "../../trpc.js";

/** An entry of the glossary as callers see it. */
export const view =
  ({ urls }: Pick<Ctx, "urls">) =>
  (row: Selectable<GlossaryEntryTable>) => ({
    object: "glossary-entry" as const,
    id: row.id,
    translations: row.translations,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    urls: { location: urls.api`/orgs/${row.organization}/translations-glossary/${row.id}` },
  });
