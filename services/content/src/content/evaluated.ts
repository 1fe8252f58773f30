import { evaluateDocument } from "@octavo/markdown/document/evaluate";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument, replaceBody } from "@octavo/markdown/document/render";
import { hasConditions } from "@octavo/markdown/document/unread";
import { resolveIn } from "../links/refs.js";
import { entriesOfKind } from "../store/entries.js";
import type { Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { documentOf } from "./document.js";
import type { Evaluated } from "./schema.js";
import type { PageBody, PageProps } from "./view.js";

/** A text, and what its expressions can read besides the variables of its space. */
export interface Source {
  version: Version;
  markdown: string;
  /** The page or reusable content that it is of; without one, addresses stay as they are written. */
  of?: string;
  /** The variables of the page that it is of. */
  variables?: PageProps["variables"];
  evaluated: Evaluated;
}

/** A rich document as it was asked for. */
export async function evaluatedDocument(ctx: Ctx, source: Source): Promise<JSONDocument> {
  const { version, of, markdown } = source;
  const document = documentOf(
    markdown,
    of === undefined ? undefined : await resolveIn(ctx, version, of, markdown),
  );
  return isToEvaluate(source) ? (await evaluate(ctx, source, document)).document : document;
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
  const { document, changed } = await evaluate(ctx, source, parseDocument(markdown));
  return { markdown: changed ? replaceBody(markdown, renderDocument(document)) : markdown };
}

/** Most texts have no expressions, and cost nothing more. */
const isToEvaluate = ({ evaluated, markdown }: Source) => evaluated !== "false" && hasConditions(markdown);

async function evaluate(
  ctx: Ctx,
  { version, variables = {}, evaluated, markdown }: Source,
  document: JSONDocument,
) {
  const ofSpace = await entriesOfKind(ctx, version, "variable");
  const vars = Object.fromEntries(ofSpace.map(({ title, props }) => [title, props.value]));
  // Who reads through this interface is no visitor, and makes no claims.
  const inputs = { space: { vars }, page: { vars: variables }, visitor: { claims: {} } };
  const deterministicOnly = evaluated === "deterministic-only";
  return evaluateDocument(document, { inputs, deterministicOnly, source: markdown });
}
