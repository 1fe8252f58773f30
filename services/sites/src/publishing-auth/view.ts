import type { Ctx } from "../trpc.js";
import type { Row } from "./queries.js";
import type { PublishingAuth } from "./schema.js";

export const view = ({ vault }: Ctx, row: Row): PublishingAuth => ({
  object: "publishing-auth",
  backend: row.backend,
  privateKey: vault.open(row.private_key),
  fallbackURL: row.fallback_url ?? undefined,
});
