import { enqueue } from "@octavo/shared/jobs/enqueue";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { offerVisitorAuth } from "./jobs.js";

interface Installation {
  id: string;
  integration: string;
  organization: string;
}

/** Hands down to sites, after the transaction, whose visitors an installation signs in; does nothing without the scope. */
export async function visitorAuthSoon(
  ctx: Ctx,
  { id, integration, organization }: Installation,
): Promise<void> {
  const scopes = (await integrations.findById(ctx, integration))?.scopes ?? [];
  if (scopes.includes("site:visitor:auth")) await offerSoon(ctx, { id, organization });
}

/** Hands down to sites whose visitors an installation signs in, also when it has the scope no longer. */
export async function offerSoon(
  ctx: Ctx,
  { id: installation, organization }: Pick<Installation, "id" | "organization">,
): Promise<void> {
  const queue = `visitor-auth:${installation}`;
  await enqueue(ctx, offerVisitorAuth, { installation, organization }, { key: queue, queue });
}
