import type { Team } from "@octavo/shared/contracts/schemas/team";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";
import type { Provider } from "./schema.js";

/** The addresses of Octavo towards one identity provider. */
export const serviceOf = ({ urls }: Ctx, { id }: Pick<Row, "id">) => ({
  acsURL: urls.api`/sso/saml/${id}/acs`,
  startURL: urls.api`/sso/saml/${id}/start`,
  entityID: urls.api`/sso/saml/${id}/metadata`,
});

/** Whether people can sign in: all that describes the identity provider is known. */
export const isActive = ({ entity_id, sso_url, certificate }: Row) =>
  entity_id !== "" && sso_url !== "" && certificate !== "";

/** A provider; `teams` holds the teams by their ids. */
export const view =
  (ctx: Ctx, teams: Map<string, Team>) =>
  (row: Row): Provider => ({
    object: "saml-provider",
    id: row.id,
    label: row.label,
    ssoURL: row.sso_url,
    entityID: row.entity_id,
    certificate: row.certificate,
    defaultTeam: row.default_team === null ? undefined : teams.get(row.default_team),
    defaultRole: row.default_role,
    createdAt: row.created_at,
    status: isActive(row) ? "active" : "pending",
    service: serviceOf(ctx, row),
    urls: { location: ctx.urls.api`/orgs/${row.organization}/saml/${row.id}` },
  });
