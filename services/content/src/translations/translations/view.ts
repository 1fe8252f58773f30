import type { JSONDocument } from "@octavo/markdown/document/nodes";
import type { Level } from "@octavo/shared/contracts/roles";
import { flagsOf } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "../store/translations.js";

/** A translation as a caller with this role in its organization sees it. */
export const view =
  ({ urls }: Pick<Ctx, "urls">, level: Level) =>
  (row: Row) => ({
    object: "translation" as const,
    id: row.id,
    status: row.status,
    source: { space: row.space, language: row.source_language },
    language: row.language,
    instructions: row.instructions as JSONDocument,
    result:
      row.result_space !== null && row.result_revision !== null
        ? { space: row.result_space, revision: row.result_revision }
        : undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stats: {
      runs: row.runs,
      totalWords: row.total_words,
      totalPages: row.total_pages,
      totalDuration: row.total_duration,
      latestRunDuration: row.latest_duration,
      latestPages: row.latest_pages,
      latestWords: row.latest_words,
    },
    permissions: flagsOf(level, "translation"),
    urls: { location: urls.api`/orgs/${row.organization}/translations/${row.id}` },
    error: row.error ?? undefined,
  });
