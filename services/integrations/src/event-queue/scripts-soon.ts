import { enqueue } from "@octavo/shared/jobs/enqueue";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { handDownScript } from "./jobs.js";

interface Installation {
  id: string;
  integration: string;
  organization: string;
}

/** Hands down to sites what an installation puts into pages, after the transaction; does nothing without the scope. */
export async function scriptsSoon(ctx: Ctx, { id, integration, organization }: Installation): Promise<void> {
  const scopes = (await integrations.findById(ctx, integration))?.scopes ?? [];
  if (scopes.includes("site:script:inject")) await handDownSoon(ctx, { id, organization });
}

/** Hands down to sites what an installation puts into pages, also when it has the scope no longer. */
export async function handDownSoon(
  ctx: Ctx,
  { id: installation, organization }: Pick<Installation, "id" | "organization">,
): Promise<void> {
  const queue = `scripts:${installation}`;
  await enqueue(ctx, handDownScript, { installation, organization }, { key: queue, queue });
}
