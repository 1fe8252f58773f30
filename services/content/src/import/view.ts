import type { z } from "zod";
import type { Ctx } from "../trpc.js";
import type { Row } from "./queries.js";
import type { ContentImport } from "./schema.js";

/** An import as those see it who may read its space. */
export const view =
  ({ urls }: Pick<Ctx, "urls">) =>
  (row: Row): z.input<typeof ContentImport> => ({
    object: "content-import",
    id: row.id,
    state: row.state,
    source: row.source as z.input<typeof ContentImport>["source"],
    host: row.host,
    changeRequest: row.change_request ?? undefined,
    page: row.page ?? undefined,
    revision: row.revision ?? undefined,
    ...countsOf(row),
    error: row.error ? { message: row.error.message, reason: row.error.reason } : undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at ?? undefined,
    urls: { location: urls.api`/spaces/${row.space}/imports/${row.id}` },
  });

/** What came in, and what was left out. */
export function countsOf({ imported, total, skipped }: Pick<Row, "imported" | "total" | "skipped">) {
  const left = skipped as z.input<typeof ContentImport>["skipped"] | null;
  return { importedResources: imported, totalResources: total, ...(left?.length && { skipped: left }) };
}
