import { describe } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { WantedSource } from "../content/content.js";
import { jsonb } from "../db/jsonb.js";
import { computeSoon } from "../event-queue/compute-soon.js";
import * as events from "../store/events.js";
import * as installations from "../store/installations.js";
import type { Ctx } from "../trpc.js";
import { filesOf } from "./files.js";
import { pagesOf } from "./pages.js";
import { computeRevision, loadComputing } from "./rules.js";

// Content cannot call integrations: it emits that it changed, is queried for missing sources, and receives their pages.

/** What no other try of the same would change. */
const FINAL = new Set<string>(["BAD_REQUEST", "NOT_FOUND", "BAD_GATEWAY", "PAYLOAD_TOO_LARGE"]);

const isFinal = (error: unknown) => FINAL.has(describe(error).code);

/** Has scripts compute what a space shows of them, or each space of an organization; safe to run again. */
export async function computeContent(
  ctx: Ctx,
  { organization, space }: { organization: string; space?: string },
  signal: AbortSignal,
): Promise<void> {
  if (space === undefined) {
    for (const one of await ctx.content.computedSpaces(ctx, organization))
      await computeSoon(ctx, { organization, space: one });
    return;
  }
  const computing = await installations.computingIn(ctx, organization);
  const versions = Object.fromEntries(computing.map(({ name, version }) => [name, version]));
  for (const wanted of await ctx.content.wantedSources(ctx, space, versions)) {
    signal.throwIfAborted();
    await computeSource(ctx, space, wanted, signal).catch((error: unknown) => {
      // What a script does wrong is in the trace of its event; it is asked again when something changes.
      if (!isFinal(error)) throw error;
      ctx.log.info({ err: error, space, type: wanted.type }, "a content source was not computed");
    });
  }
}

/** Has everything computed anew that an integration computes, in all organizations in which it is active. */
export async function recompute(ctx: Ctx, { integration }: { integration: string }): Promise<void> {
  for (const organization of await installations.organizationsWith(ctx, integration))
    await computeSoon(ctx, { organization });
}

async function computeSource(
  ctx: Ctx,
  spaceId: string,
  wanted: WantedSource,
  signal: AbortSignal,
): Promise<void> {
  const { key, inputs, type, props, dependencies } = wanted;
  const [, name = "", sourceId = ""] = type.split(":");
  const computing = await loadComputing(ctx, name, spaceId);
  const event = newId();
  const revision = await computeRevision(ctx, computing, { sourceId, props, dependencies, event });
  try {
    const sent = revision.pages ?? [];
    const pages = await pagesOf(ctx, computing, { sent, source: { type, props }, dependencies, signal });
    const { files, missing } = await filesOf(ctx, computing, revision.files ?? [], signal);
    // Its installation may have ended meanwhile, and with that what it may write.
    const { installation, organization } = await loadComputing(ctx, name, spaceId);
    const by = { integration: name, installation, organization };
    const { left } = await ctx.content.fillSource(ctx, { spaceId, key, inputs, pages, files, by });
    const full = left.map((file) => `${file}: the files of all sources of the space are too large`);
    await recordMissing(ctx, event, [...missing, ...full]);
  } catch (error) {
    if (isFinal(error)) await recordUseless(ctx, event, describe(error).message);
    throw error;
  }
}

/** Records with the event of a source which files its pages are shown without. */
async function recordMissing(ctx: Ctx, event: string, missing: string[]): Promise<void> {
  if (missing.length === 0) return;
  const timestamp = ctx.clock().toISOString();
  const logs = missing.map((one) => ({
    level: "warn",
    message: `The file was left out: ${one}`.slice(0, 1000),
    timestamp,
  }));
  await events.appendLogs(ctx, event, jsonb(logs));
}

/** Records with the event of a source why nothing was made of its pages. */
async function recordUseless(ctx: Ctx, event: string, reason: string): Promise<void> {
  const timestamp = ctx.clock().toISOString();
  const log = {
    level: "error",
    message: `The pages were not taken over: ${reason}`.slice(0, 1000),
    timestamp,
  };
  await events.markFailed(ctx, event, jsonb([log]));
}
