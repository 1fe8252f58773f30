import type { Ctx } from "../../trpc.js";
import type { Row as Spec } from "../store/specs.js";
import type { Row } from "../store/versions.js";
import { documentUrl } from "./address.js";

/** A version of a specification as callers see it. */
export const view =
  (ctx: Ctx, { organization, slug }: Pick<Spec, "organization" | "slug">) =>
  (row: Row) => ({
    object: "openapi-spec-version" as const,
    id: row.id,
    createdAt: row.created_at,
    url: documentUrl(ctx, row.spec, row.id),
    urls: { location: ctx.urls.api`/orgs/${organization}/openapi/${slug}/versions/${row.id}` },
    breakingChanges: row.breaking ?? undefined,
  });
