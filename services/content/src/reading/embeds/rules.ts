import { partyOf } from "@octavo/shared/contracts/callers";
import { createTurns } from "@octavo/shared/turns";
import { resolveTarget } from "../../revisions/target.js";
import type { Call, Ctx } from "../../trpc.js";
import { readEmbed } from "./read-embed.js";
import type { Embed, GetEmbed, InSpace } from "./schema.js";

// What lies at an address of somebody else, as it can be shown on a page. What cannot be had is shown as a link, whatever
// the reason: so nobody learns what lies in a network that only the service reaches.

/** Returns how the content of an address can be shown: in a frame, where its site offers one, else as a link. */
export function get({ ctx, input: { url } }: Call<typeof GetEmbed>) {
  return embedOf(ctx, url);
}

/** Returns the same for a page of a space; 404 for a space out of reach. */
export async function inSpace({ ctx, input: { spaceId, url } }: Call<typeof InSpace>) {
  await resolveTarget(ctx, { spaceId }, "space.view");
  return embedOf(ctx, url);
}

/** How long it is believed what an address held. */
const KEPT_MS = 3_600_000;
/** Addresses that are read at a time, for all callers together. */
const turns = createTurns(16);

async function embedOf(ctx: Ctx, url: string): Promise<Embed> {
  const key = `embed ${url}`;
  const hour = String(Math.floor(ctx.clock().getTime() / KEPT_MS));
  const kept = ctx.cache.get(key);
  if (kept?.revision === hour) return kept.value as Embed;
  const embed = await inTurn(partyOf(ctx.caller), () => readEmbed(ctx, url));
  ctx.cache.set(key, { revision: hour, value: embed }, { size: 200 + 2 * JSON.stringify(embed).length });
  return embed;
}

async function inTurn<Result>(party: string, work: () => Promise<Result>): Promise<Result> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const leave = turns.enter(party, begin);
  try {
    await begun;
    return await work();
  } finally {
    leave();
  }
}
