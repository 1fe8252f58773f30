import { newBudget } from "@octavo/markdown/document/bounds";
import { type Cutter, cutDocument } from "@octavo/markdown/document/cut";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseBlocks } from "@octavo/markdown/document/parse";
import type { Resolve } from "@octavo/markdown/document/refs";
import { withoutHidden } from "@octavo/markdown/document/unread";
import { atLeast } from "@octavo/shared/access";
import { resolveIn } from "../links/refs.js";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { markdownOf } from "./document.js";
import { evaluatedBody, evaluatedDocument, type Source } from "./evaluated.js";
import type { Evaluated } from "./schema.js";
import type { Scope } from "./scope.js";
import type { PageBody, PageProps } from "./view.js";

// What somebody sees of a public space who may not read it: what every visitor of its site does. That leaves out what
// is for some visitors only, and what is written for those who work on the text.

/** Whether the caller views the content only because it is public. */
export const isVisitor = ({ level }: Scope): boolean => !atLeast(level, "read");

/** Whether a page is shown: one with a condition is for visitors who make claims. */
export const isShown =
  (scope: Scope) =>
  ({ props }: Entry): boolean =>
    !isVisitor(scope) || !(props as unknown as PageProps).condition;

/**
 * An entry with the words that it is called and described by as the caller is shown them. Nobody evaluates these words:
 * what stands in a condition there is left out for all visitors, and where the text is evaluated as well.
 */
export const named =
  (scope: Scope, evaluated: Evaluated = "false") =>
  (entry: Entry): Entry => {
    if (!isVisitor(scope) && evaluated !== "true") return entry;
    const { description } = entry.props as unknown as PageProps;
    const props = description ? { ...entry.props, description: withoutHidden(description) } : entry.props;
    return { ...entry, title: withoutHidden(entry.title) || "Untitled", props };
  };

/** Whether a page is shown, by the line from it up. To visitors it has to reach the top: what is above decides too. */
export const isLineShown = (scope: Scope, line: Entry[]): boolean =>
  line.every(isShown(scope)) && (!isVisitor(scope) || line.at(-1)!.parent === null);

/** The text of a page for the caller, in the format that was asked for. */
export async function bodyFor(
  ctx: Ctx,
  scope: Scope,
  { format, title, ...source }: Source & { format: "document" | "markdown"; title: string },
): Promise<PageBody> {
  if (!isVisitor(scope)) return evaluatedBody(ctx, format, source);
  if (format === "document") return { document: await documentFor(ctx, scope, source) };
  return {
    markdown: markdownOf({ document: await documentFor(ctx, scope, { ...source, of: undefined }) }, title),
  };
}

/** A rich document for the caller. */
export async function documentFor(ctx: Ctx, scope: Scope, source: Source): Promise<JSONDocument> {
  if (!isVisitor(scope)) return evaluatedDocument(ctx, source);
  const document = await evaluatedDocument(ctx, { ...source, evaluated: "true" });
  const { version, of, markdown } = source;
  if (!hasComment(markdown)) return document;
  const resolve = of === undefined ? undefined : await resolveIn(ctx, version, of, markdown);
  return cutDocument(document, new Comments(resolve));
}

const hasComment = (text: string) => text.includes("<!--");

/**
 * Comments stand in what is kept verbatim, for want of a block of their own. What they stood in is read without them. One
 * that does not end there goes on in what follows.
 */
class Comments implements Cutter {
  #open = false;
  readonly #budget = newBudget();
  readonly #resolve: Resolve | undefined;

  constructor(resolve?: Resolve) {
    this.#resolve = resolve;
  }

  hides() {
    return this.#open;
  }

  text(text: string, kept: boolean): string {
    if (!kept && !this.#open) return text;
    let left = "";
    for (let at = 0; at < text.length; ) {
      const edge = text.indexOf(this.#open ? "-->" : "<!--", at);
      if (!this.#open) left += text.slice(at, edge < 0 ? text.length : edge);
      if (edge < 0) break;
      at = edge + (this.#open ? 3 : 4);
      this.#open = !this.#open && kept;
    }
    return left;
  }

  word(text: string, key: string): string {
    return key === "alt" || key === "caption" ? new Comments().text(text, true) : text;
  }

  /** What would have to be evaluated is for some visitors only. */
  rest(source: string) {
    return /\{%|expression/.test(source)
      ? []
      : parseBlocks(source, { budget: this.#budget, ...(this.#resolve && { resolve: this.#resolve }) });
  }
}
