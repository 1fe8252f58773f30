import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { views } from "../integrations/view.js";
import * as queries from "../store/integrations.js";
import type { Call, Ctx } from "../trpc.js";
import { scriptsAt } from "./at-work.js";
import type { List, OneSpace } from "./schema.js";

// What is at work in a space: what its organization installed in all spaces, or on this one.

/** Lists the integrations at work in a space, sorted by name; 404 for who may not read it. */
export async function list({ ctx, input }: Call<typeof List>) {
  const place = await loadSpace(ctx, input.spaceId);
  return paginate({
    query: queries.atWork(ctx, place, input.search),
    key: "name",
    input,
    view: (rows) => views(ctx, rows),
  });
}

/** Returns the blocks of the integrations at work in a space; 404 for who may not read it. */
export async function listIntegrationBlocks({ ctx, input }: Call<typeof OneSpace>) {
  const place = await loadSpace(ctx, input.spaceId);
  const rows = await queries
    .atWork(ctx, place)
    .where("blocks", "is not", null)
    .orderBy("name")
    .limit(1000)
    .execute();
  return rows.map(({ name, blocks }) => ({ name, blocks: blocks ?? [] }));
}

/** Returns the scripts that integrations put into the pages of a space; 404 for who may not read it. */
export async function listIntegrationScripts({ ctx, input }: Call<typeof OneSpace>) {
  return scriptsAt(ctx, await loadSpace(ctx, input.spaceId));
}

async function loadSpace(ctx: Ctx, id: string): Promise<queries.ContentTarget> {
  const { organization } = found((await ctx.content.spaces(ctx, [id]))[0], "Space");
  return { kind: "space", content: id, organization };
}
