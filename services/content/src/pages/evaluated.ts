import { type JSONDocument, verbatim } from "@octavo/markdown/document/nodes";
import { hasConditions } from "@octavo/markdown/text/hidden-text";
import { WorkFailed } from "@octavo/shared/workers/pool";
import type { PageProps } from "../db/tables/entries.js";
import type { Reading } from "../documents/reading.js";
import { targetsIn } from "../references/resolve-addresses.js";
import { entriesOfKind } from "../store/entries.js";
import type { ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { Evaluated } from "./schema.js";
import type { PageBody } from "./view.js";

/** A text, and what its expressions can read besides the variables of its space. */
export interface Source {
  version: ReadPoint;
  markdown: string;
  /** The page or reusable content that it is of; without one, addresses stay as they are written. */
  of?: string;
  /** The variables of the page that it is of. */
  variables?: PageProps["variables"];
  evaluated: Evaluated;
}

/** A rich document as it was asked for. */
export async function evaluatedDocument(ctx: Ctx, source: Source): Promise<JSONDocument> {
  try {
    return await ctx.work.run("readDocument", await readingOf(ctx, source));
  } catch (error) {
    // Where nothing is hidden from anybody, what can not be read is shown as it is written.
    if (!(error instanceof WorkFailed) || isToEvaluate(source)) throw error;
    return { object: "document", data: { schemaVersion: 1 }, nodes: [verbatim(source.markdown)] };
  }
}

/** The text of a page in the format that was asked for. Markdown without expressions stays byte for byte as it is. */
export async function evaluatedBody(
  ctx: Ctx,
  format: "document" | "markdown",
  source: Source,
): Promise<PageBody> {
  const { markdown } = source;
  if (format === "document") return { document: await evaluatedDocument(ctx, source) };
  if (!isToEvaluate(source)) return { markdown };
  return { markdown: await ctx.work.run("readMarkdown", await readingOf(ctx, { ...source, of: undefined })) };
}

/** Most texts have no expressions, and cost nothing more. */
const isToEvaluate = ({ evaluated, markdown }: Source) => evaluated !== "false" && hasConditions(markdown);

/** All that reading a text needs to know. */
export async function readingOf(ctx: Ctx, source: Source): Promise<Reading> {
  const { version, of, markdown, variables = {}, evaluated } = source;
  const targets = of === undefined ? undefined : await targetsIn(ctx, version, of, markdown);
  const reading: Reading = { markdown, ...(targets && { targets }) };
  if (!isToEvaluate(source)) return reading;
  const ofSpace = await entriesOfKind(ctx, version, "variable");
  const vars = Object.fromEntries(ofSpace.map(({ title, props }) => [title, props.value]));
  // Who reads through this interface is no visitor, and makes no claims.
  const inputs = { space: { vars }, page: { vars: variables }, visitor: { claims: {} } };
  return { ...reading, evaluation: { inputs, deterministicOnly: evaluated === "deterministic-only" } };
}
