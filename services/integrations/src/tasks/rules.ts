import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { recordTask } from "../event-queue/record.js";
import { isOwn, loadVisible, lockForUse } from "../integrations/access.js";
import { waitingTasks } from "../store/events.js";
import * as integrations from "../store/integrations.js";
import type { Call } from "../trpc.js";
import type { Create } from "./schema.js";

/** Tasks of one integration that may wait at a time. */
const MOST_WAITING = 1_000;

/**
 * Records a task that is delivered to the integration later; 404 for one out of reach, 403 for anybody but the integration
 * itself, 429 while a thousand of its tasks wait.
 */
export async function create({ ctx, input: { integrationName, task, schedule } }: Call<typeof Create>) {
  const { caller } = ctx;
  const { name } = await loadVisible(ctx, integrationName);
  if (!isOwn(ctx, { name }) || (caller.kind === "integration" && caller.installation))
    refuse("FORBIDDEN", "Caller: a token of the integration itself is needed");
  await transact(ctx, async (ctx) => {
    await lockForUse(ctx, { name: integrationName });
    const integration = found(await integrations.find(ctx, integrationName), "Integration");
    if ((await waitingTasks(ctx, integration.id)) >= MOST_WAITING)
      refuse("TOO_MANY_REQUESTS", `Task: ${MOST_WAITING} of them wait already`);
    await recordTask(ctx, integration, task, new Date(ctx.clock().getTime() + schedule * 1000));
  });
}
