import type { Row } from "../../admission/queries.js";
import type { Ctx } from "../../trpc.js";
import type { Invite } from "./schema.js";

/** Where an invite is accepted; whoever has the address may use the invite. */
export const urlOf = ({ urls }: Ctx, { id, organization }: Pick<Row, "id" | "organization">) =>
  urls.api`/orgs/${organization}/invites/${id}`;

export const view =
  (ctx: Ctx) =>
  (row: Row): Invite => ({
    object: "invite",
    id: row.id,
    email: row.email ?? "",
    role: row.role,
    sso: row.sso,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    urls: { location: urlOf(ctx, row) },
  });
