import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";
import type { ServiceAccount } from "./schema.js";

export const view =
  ({ urls }: Ctx) =>
  ({ id, organization, display_name, role, created_at, last_used_at }: Row): ServiceAccount => ({
    object: "service-account",
    id,
    title: display_name,
    role,
    createdAt: created_at,
    lastUsedAt: last_used_at ?? undefined,
    urls: {
      location: urls.api`/orgs/${organization}/service-accounts/${id}`,
      tokens: urls.api`/orgs/${organization}/members/${id}/tokens`,
    },
  });
