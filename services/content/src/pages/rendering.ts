import { type JSONDocument, verbatim } from "@octavo/markdown/document/nodes";
import { hasConditions } from "@octavo/markdown/text/hidden-text";
import { WorkFailed } from "@octavo/shared/workers/pool";
import { claimsOf } from "../access/claims.js";
import type { PageProps } from "../db/tables/entries.js";
import { hasComment } from "../documents/comments-cut.js";
import type { Reading } from "../documents/reading.js";
import type { Targets } from "../documents/targets.js";
import { type PathLink, targetsIn, targetsOfLinks } from "../references/resolve-addresses.js";
import { derivedOnce } from "../revisions/cached.js";
import { untag } from "../revisions/tag.js";
import type { ResolvedTarget } from "../revisions/target.js";
import type { ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { readDocumentOnce, readJsonOnce } from "./document-cache.js";
import { isVisitor, variablesOf } from "./published.js";
import { withRepository } from "./repository-links.js";
import type { Evaluated } from "./schema.js";

/** A text, and what its expressions can read besides the variables of its space. */
export interface Source {
  version: ReadPoint;
  markdown: string;
  /** The page or reusable content that it is of; without one, addresses stay as they are written. */
  of?: string;
  /** The relative addresses in it, where they were read together with it. */
  links?: PathLink[];
  /** The variables of the page that it is of. */
  variables?: PageProps["variables"];
  evaluated: Evaluated;
}

/**
 * The rich document of a text as the caller is to see it. What can not be read is shown as it is written where nothing is
 * hidden from anybody.
 */
export async function textAsDocument(ctx: Ctx, scope: ResolvedTarget, source: Source): Promise<JSONDocument> {
  if (isVisitor(scope)) return readDocumentOnce(ctx, await visitorsReading(ctx, scope, source));
  try {
    return await readDocumentOnce(ctx, await readingOf(ctx, scope, source));
  } catch (error) {
    if (!(error instanceof WorkFailed) || isToEvaluate(source)) throw error;
    untag(ctx);
    return { object: "document", data: { schemaVersion: 1 }, nodes: [verbatim(source.markdown)] };
  }
}

/**
 * The JSON of the rich document of a text as the caller is to see it, for whoever draws it: of visitors, who are most, it is
 * as it was kept, and its blocks have no keys.
 */
export const textAsJson = async (ctx: Ctx, scope: ResolvedTarget, source: Source): Promise<string> =>
  isVisitor(scope)
    ? readJsonOnce(ctx, { ...(await visitorsReading(ctx, scope, source)), unkeyed: true })
    : JSON.stringify(await textAsDocument(ctx, scope, source));

/**
 * The markdown of a text as the caller is to see it, with addresses as they are written. Without expressions it stays byte
 * for byte as it is; what visitors see is put below `title`.
 */
export async function textAsMarkdown(
  ctx: Ctx,
  scope: ResolvedTarget,
  { title, ...source }: Source & { title: string },
): Promise<string> {
  const plain = { ...source, of: undefined };
  if (isVisitor(scope))
    return ctx.work.run("readShown", { ...(await visitorsReading(ctx, scope, plain)), title });
  return isToEvaluate(source)
    ? ctx.work.run("readMarkdown", await readingOf(ctx, scope, plain))
    : source.markdown;
}

/** Visitors see texts evaluated and without what is written for those who work on them. */
const visitorsReading = async (ctx: Ctx, scope: ResolvedTarget, source: Source) => ({
  ...(await readingOf(ctx, scope, { ...source, evaluated: "true" })),
  uncommented: hasComment(source.markdown),
});

/** Most texts have no expressions, and cost nothing more. */
const isToEvaluate = ({ evaluated, markdown }: Source) => evaluated !== "false" && hasConditions(markdown);

/** All that reading a text needs to know. */
async function readingOf(ctx: Ctx, scope: ResolvedTarget, source: Source): Promise<Reading> {
  const { version, markdown, variables = {}, evaluated } = source;
  const found = await targetsOf(ctx, scope, source);
  const targets = found.targets && (await withRepository(ctx, scope, found.targets));
  const reading: Reading = { markdown, ...(targets && { targets }) };
  if (!isToEvaluate(source)) return reading;
  const visitor = { claims: claimsOf(ctx.caller) };
  const inputs = { space: await variablesOf(ctx, version), page: { vars: variables }, visitor };
  return { ...reading, evaluation: { inputs, deterministicOnly: evaluated === "deterministic-only" } };
}

/**
 * What the relative addresses of a text lead to, looked up once for each revision. The head of the primary content may be
 * a later revision by then, so what is looked up there is not kept for who asks for the revision itself.
 */
async function targetsOf(
  ctx: Ctx,
  scope: ResolvedTarget,
  { version, of, markdown, links }: Source,
): Promise<{ targets?: Targets }> {
  if (of === undefined || links?.length === 0) return {};
  const make = async () => ({
    targets: links
      ? ((await targetsOfLinks(ctx, version, links)).get(of) ?? new Map())
      : await targetsIn(ctx, version, of, markdown),
  });
  // A change request is read at its head after its revision was, so that no revision names what is found.
  if (scope.changeRequest) return make();
  const key = ["targets", version.seq, of].join(" ");
  const sizeOf = ({ targets }: { targets?: Targets }) => 200 + 200 * (targets?.size ?? 0);
  return derivedOnce(ctx, scope, { key, make, sizeOf });
}
