import type { Space } from "@octavo/shared/contracts/schemas/space";
import { newId } from "@octavo/shared/ids";
import { repeat } from "@octavo/shared/repeat";
import type { Background } from "@octavo/shared/service";
import { sql } from "kysely";
import type { Filling } from "../content/content.js";
import type { Ctx } from "../trpc.js";

const EVERY_MS = 60_000;

interface Wanted {
  organizationId: string;
  title: string;
  filling: Filling;
}

/**
 * Creates a space in content for `use`, which makes something of ours out of it and calls `finish` in the same
 * transaction. When that fails, or this process dies on the way, the space goes to the trash: at once, or as soon as
 * content can be reached. So a second try starts from nothing. The id is recorded before content gets it: whether
 * there is a space whose response never came, the sweep finds out when no request can be under way any more.
 */
export async function withNewSpace<Result>(ctx: Ctx, wanted: Wanted, use: (space: Space) => Promise<Result>) {
  const { organizationId, title, filling } = wanted;
  const id = newId();
  await ctx.db.insertInto("unfinished_space").values({ space: id }).execute();
  const space = await ctx.content.create(ctx, { organizationId, title, id });
  try {
    if (filling === "sample") await ctx.content.fill(ctx, space.id);
    return await use(space);
  } catch (error) {
    await discard(ctx, id);
    throw error;
  }
}

/** Says that a new space found its use, in the transaction that makes it so. */
export async function finish({ db }: Ctx, space: string): Promise<void> {
  await db.deleteFrom("unfinished_space").where("space", "=", space).execute();
}

async function discard(ctx: Ctx, space: string): Promise<void> {
  try {
    await ctx.content.discard(ctx, space);
    await finish(ctx, space);
  } catch (error) {
    ctx.log.warn({ err: error, space }, "a space that was created for nothing is discarded later");
  }
}

/** Discards what was left behind longer ago than any creation takes. Copies of the service do not disturb each other. */
export async function sweep(ctx: Ctx): Promise<void> {
  const old = ctx.db
    .selectFrom("unfinished_space")
    .select("space")
    .where("created_at", "<", sql<string>`now() - interval '5 minutes'`)
    .orderBy("created_at")
    .limit(100);
  for (const { space } of await old.execute()) await discard(ctx, space);
}

/** Sweeps once a minute, and when the service starts. */
export const startSweeping = (context: Background<Ctx>) =>
  repeat(context, EVERY_MS, "left spaces were not swept", sweep);
