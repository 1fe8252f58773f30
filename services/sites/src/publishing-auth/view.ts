import { keyOfSite } from "@octavo/shared/contracts/events/sites";
import type { Row } from "../store/publishing-auth.js";
import type { Ctx } from "../trpc.js";
import type { PublishingAuth } from "./schema.js";

export const view = (
  { vault }: Ctx,
  { id, organization }: { id: string; organization: string },
  row: Row,
): PublishingAuth => ({
  object: "publishing-auth",
  backend: row.backend,
  privateKey: vault.open(row.private_key, keyOfSite(id, organization)),
  fallbackURL: row.fallback_url ?? undefined,
  integration: row.integration ?? undefined,
});
