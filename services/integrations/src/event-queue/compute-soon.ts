import { enqueue } from "@octavo/shared/jobs/enqueue";
import * as installations from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import { computeSources } from "./jobs.js";

/**
 * Has scripts compute what a space shows of them, or every space of an organization, after the transaction; nothing where
 * no integration with content sources is at work in the organization.
 */
export async function computeSoon(
  ctx: Ctx,
  { organization, space }: { organization: string; space?: string },
): Promise<void> {
  if ((await installations.computingIn(ctx, organization)).length === 0) return;
  const queue = `sources:${organization}`;
  await enqueue(ctx, computeSources, { organization, space }, { key: `${queue} ${space ?? ""}`, queue });
}
