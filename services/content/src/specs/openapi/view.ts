import type { Level } from "@octavo/shared/contracts/roles";
import { flagsOf } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "../store/specs.js";

/** A specification as a caller with this role in its organization sees it. */
export const view =
  ({ urls }: Pick<Ctx, "urls">, level: Level) =>
  (row: Row) => ({
    object: "openapi-spec" as const,
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    slug: row.slug,
    sourceURL: row.source_url ?? undefined,
    processingState: row.processing_state,
    visibility: row.visibility,
    lastVersion: row.last_version ?? undefined,
    lastProcessedAt: row.last_processed_at ?? undefined,
    lastProcessErrorCode: row.error_code ?? undefined,
    lastProcessedErrors: row.errors ?? undefined,
    permissions: flagsOf(level, "openAPISpec"),
    urls: {
      location: urls.api`/orgs/${row.organization}/openapi/${row.slug}`,
      app: urls.app`/orgs/${row.organization}/openapi/${row.slug}`,
      published: row.visibility === "public" ? urls.api`/openapi/${row.id}` : undefined,
    },
  });
