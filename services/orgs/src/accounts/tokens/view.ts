import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";
import type { Token } from "./schema.js";

const shown = (row: Row, location: string): Token => ({
  object: "token",
  id: row.id,
  label: row.label,
  organization: row.organization ?? undefined,
  scopes: row.scopes ?? undefined,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  expiresAt: row.expires_at ?? undefined,
  urls: { location },
});

/** A token as its user sees it. */
export const view =
  ({ urls }: Ctx) =>
  (row: Row): Token =>
    shown(row, urls.api`/user/tokens/${row.id}`);

/** A token that is bound to an organization, as its administrators see it. */
export const memberView =
  ({ urls }: Ctx, organization: string) =>
  (row: Row): Token =>
    shown(row, urls.api`/orgs/${organization}/members/${row.person}/tokens/${row.id}`);
