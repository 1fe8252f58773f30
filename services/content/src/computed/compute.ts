import type { Ctx } from "../trpc.js";
import { keyOf } from "./dependencies.js";
import type { Made } from "./made.js";
import { pagesOfSpec } from "./openapi.js";
import { type Outline, outlineOf } from "./outline.js";
import * as queries from "./queries.js";
import { pagesOfResult, resultAt } from "./results.js";
import { type ComputedSource, isOfIntegration, OPENAPI, specOf } from "./source.js";

/** For which content a source is computed, and as it was at which time; null is now. */
export interface Asked {
  space: string;
  organization: string;
  time: string | null;
}

/** The pages that a source makes; undefined while what it depends on is not there, or nobody knows the source. */
export async function computePages(
  ctx: Ctx,
  asked: Asked,
  source: ComputedSource,
): Promise<Made[] | undefined> {
  if (source.type === OPENAPI) return pagesFromSpec(ctx, asked, source);
  if (isOfIntegration(source)) return pagesFromResult(ctx, asked, source);
  return undefined;
}

/** What an integration computed last. */
async function pagesFromResult(ctx: Ctx, { space, time }: Asked, source: ComputedSource) {
  const result = await resultAt(ctx, space, keyOf(source), time);
  return result && computedPages(ctx, result.id);
}

/** The pages of a result of an integration; it is the same for good. */
export async function computedPages(ctx: Ctx, result: string): Promise<Made[] | undefined> {
  const key = `computed ${result}`;
  const kept = ctx.cache.get(key)?.value as Made[] | undefined;
  if (kept) return kept;
  const pages = await pagesOfResult(ctx, result);
  if (pages)
    ctx.cache.set(key, { revision: result, value: pages }, { size: 2 * JSON.stringify(pages).length });
  return pages;
}

async function pagesFromSpec(ctx: Ctx, { organization, time }: Asked, source: ComputedSource) {
  const slug = specOf(source);
  const version = slug === undefined ? undefined : await queries.versionAt(ctx, organization, slug, time);
  if (!version) return undefined;
  const value = { object: "openapi-spec", id: version.spec, slug, lastVersion: version.id };
  const spec = { ...source.dependencies?.spec, value };
  const resolved = { ...source, dependencies: { ...source.dependencies, spec } };
  return pagesOfSpec(await outlineOfVersion(ctx, version.id), resolved);
}

/** What pages are made of, of a version; it is the same for good. */
async function outlineOfVersion(ctx: Ctx, version: string): Promise<Outline> {
  const key = `outline ${version}`;
  const kept = ctx.cache.get(key)?.value as Outline | undefined;
  if (kept) return kept;
  const outline = outlineOf(await ctx.specReader.open(await queries.documentOf(ctx, version)));
  ctx.cache.set(key, { revision: version, value: outline }, { size: 2 * JSON.stringify(outline).length });
  return outline;
}
