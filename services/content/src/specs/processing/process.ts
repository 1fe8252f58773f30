import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { showSpecAnew } from "../../computed/jobs.js";
import type { Ctx } from "../../trpc.js";
import * as specs from "../store/specs.js";
import * as versions from "../store/versions.js";
import { type Failure, failureOf } from "./failure.js";
import { REFRESH_MS } from "./jobs.js";
import { readSource } from "./source.js";

type Source = NonNullable<Awaited<ReturnType<typeof specs.begin>>>;

/**
 * Makes a version of the source of a specification, unless the latest one has the same content. A failure is kept with
 * the specification, which stays at the version that it has. Safe to run again after a crash at any point.
 */
export async function processSource(ctx: Ctx, id: string, stopping: AbortSignal): Promise<void> {
  const source = await specs.begin(ctx, id);
  if (!source) return;
  try {
    const { document, hash } = await readSource(ctx, source, stopping);
    const latest = source.last_version === null ? undefined : await versions.textOf(ctx, source.last_version);
    const breaking =
      latest && latest.hash !== hash ? await ctx.specReader.compare(latest.document, document) : undefined;
    await complete(ctx, source, async (ctx) => {
      if (latest?.hash === hash) return {};
      const last_version = newId();
      const values = { id: last_version, spec: id, hash, document, created_at: ctx.clock() };
      await versions.insert(ctx, { ...values, breaking: breaking ? JSON.stringify(breaking) : null });
      return { last_version, updated_at: ctx.clock() };
    });
  } catch (error) {
    const failure = stopping.aborted ? undefined : failureOf(error);
    if (!failure) throw error;
    await fail(ctx, source, failure);
  }
}

/** Ends a run that no try is left for. */
export async function abandon(ctx: Ctx, id: string): Promise<void> {
  const source = await specs.begin(ctx, id);
  const message = "The document could not be processed; it will be tried again";
  if (source) await fail(ctx, source, { code: "PARSE_ERROR", errors: [{ message }] });
}

const fail = (ctx: Ctx, source: Source, { code, errors }: Failure) =>
  complete(ctx, source, async () => ({ error_code: code, errors: JSON.stringify(errors) }));

/** Ends a run with what it found, unless the specification has another source by now: that has a run of its own. */
function complete(
  ctx: Ctx,
  source: Source,
  make: (ctx: Ctx) => Promise<Parameters<typeof specs.update>[2]>,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const row = await specs.lockById(ctx, source.id);
    if (row?.source_number !== source.source_number) return;
    const now = ctx.clock();
    const check_at = source.source_url === null ? null : new Date(now.getTime() + REFRESH_MS);
    const ended = { processing_state: "complete" as const, last_processed_at: now, check_at };
    const made = await make(ctx);
    await specs.update(ctx, source.id, { ...ended, error_code: null, errors: null, ...made });
    if (made.last_version) await versions.prune(ctx, source.id, ctx.keptSpecVersions);
    if (made.last_version) await showSpecAnew(ctx, row);
  });
}
