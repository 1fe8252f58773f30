// A version is what a specification was at one time: it is made when the content of the source changed, and stays.

import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import type { Call, Ctx } from "../../trpc.js";
import { loadSpec } from "../openapi/rules.js";
import * as queries from "../store/versions.js";
import { documentUrl } from "./address.js";
import type { Latest, List, One } from "./schema.js";
import { loadShownSpec } from "./shown-spec.js";
import { view } from "./view.js";

/** Lists the versions of a specification, the latest first; 404 when there is no such specification. */
export async function list({ ctx, input }: Call<typeof List>) {
  const spec = await loadSpec(ctx, input);
  const query = queries.ofSpec(ctx, spec.id);
  return paginate({ query, direction: "desc", input, view: (rows) => rows.map(view(ctx, spec)) });
}

/** Returns the latest version; 404 while nothing was made of the source yet. */
export async function getLatest({ ctx, input }: Call<typeof Latest>) {
  const spec = await loadSpec(ctx, input);
  return view(ctx, spec)(await load(ctx, spec.id, spec.last_version));
}

/** Returns a version; 404 when the specification has none with that id. */
export async function get({ ctx, input }: Call<typeof One>) {
  const spec = await loadSpec(ctx, input);
  return view(ctx, spec)(await load(ctx, spec.id, input.versionId));
}

/**
 * Returns the document of the latest version; 404 while nothing was made of the source yet. A visitor of a site reads the
 * specifications that its pages show.
 */
export async function getLatestContent({ ctx, input }: Call<typeof Latest>) {
  const { caller } = ctx;
  const spec = await (caller.kind === "reader" ? loadShownSpec(ctx, caller, input) : loadSpec(ctx, input));
  return contentOf(ctx, await load(ctx, spec.id, spec.last_version));
}

/** Returns the document of a version, to a visitor of the latest one alone; 404 when there is none with that id. */
export async function getContent({ ctx, input }: Call<typeof One>) {
  const { caller } = ctx;
  if (caller.kind !== "reader") {
    const { id } = await loadSpec(ctx, input);
    return contentOf(ctx, await load(ctx, id, input.versionId));
  }
  const { id, last_version } = await loadShownSpec(ctx, caller, input);
  return contentOf(ctx, await load(ctx, id, last_version === input.versionId ? last_version : null));
}

const load = async (ctx: Ctx, spec: string, version: string | null) =>
  found(version === null ? undefined : await queries.find(ctx, spec, version), "Version");

/** The document as parsers take one of several files: all that it refers to is inside the one, in version 3. */
async function contentOf(ctx: Ctx, { id, spec }: queries.Row) {
  const { document } = found(await queries.textOf(ctx, id), "Version");
  const specification = await ctx.specReader.openUpgraded(document);
  const file = { dir: "./", isEntrypoint: true, references: [], filename: "openapi.json", specification };
  return { filesystem: [file], url: documentUrl(ctx, spec, id) };
}
