import { enqueueEach } from "@octavo/shared/jobs/enqueue";
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

type Handed = Pick<Installation, "id" | "organization">;

/** Hands down to sites what an installation puts into pages, also when it has the scope no longer. */
export const handDownSoon = (ctx: Ctx, installation: Handed) => handDownEachSoon(ctx, [installation]);

/** Hands down to sites what each of some installations puts into pages, by one statement. */
export async function handDownEachSoon(ctx: Ctx, installations: Handed[]): Promise<void> {
  const jobs = installations.map(({ id: installation, organization }) => {
    const queue = `scripts:${installation}`;
    return { payload: { installation, organization }, key: queue, queue };
  });
  await enqueueEach(ctx, handDownScript, jobs);
}
