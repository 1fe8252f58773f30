import { transact } from "@octavo/shared/database/transact";
import { lockSpace } from "../../access/load-space.js";
import { auditSpace } from "../../audit.js";
import { commitPrimary } from "../../revisions/primary.js";
import { lockBranch } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { keyOf } from "../dependencies.js";
import { insertResult } from "../keep.js";
import * as queries from "../queries.js";
import * as results from "../results.js";
import type { Forget } from "../schema.js";
import { integrationOf } from "../source.js";

/**
 * Has the pages of an integration that ended in a space shown as they are declared again, by a revision; earlier revisions
 * show what they showed. Nothing where it computed nothing there, or the space is of another organization; 404 for a space
 * that is gone while it is asked.
 */
export async function forget({ ctx, input }: Call<typeof Forget>) {
  const { spaceId: space, by } = input;
  if ((await queries.organizationOf(ctx, space)) !== by.organization) return;
  await transact(ctx, async (ctx) => {
    await lockSpace(ctx, space, "space.access", { strength: "use" });
    const head = await lockBranch(ctx, space);
    const now = ctx.clock();
    const declared = (await results.sourcesIn(ctx, space, now))
      .map(({ source }) => source)
      .filter((source) => integrationOf(source) === by.integration);
    const known = await results.inputsOf(ctx, space, declared.map(keyOf));
    const shown = [...known].filter(([, inputs]) => inputs !== results.NOTHING);
    if (shown.length === 0) return;
    for (const [key] of shown)
      await insertResult(ctx, { space, key, inputs: results.NOTHING, pages: null, created_at: now });
    const caller = { kind: "integration" as const, ...by, scopes: [], token: "" };
    const asIntegration: Ctx = { ...ctx, caller, clock: () => now };
    await commitPrimary(asIntegration, { space, head, type: "edits", changes: { put: [], remove: [] } });
    const owner = { id: space, organization: by.organization };
    await auditSpace(asIntegration, "space.compute", owner, { installation: by.installation, pages: 0 });
  });
}
