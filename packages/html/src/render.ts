import {
  type Block,
  blocksOf,
  type InlineNode,
  inlinesOf,
  type JSONDocument,
  plainText,
} from "@octavo/markdown/document/nodes";
import { Fragment, h } from "preact";
import { renderToString } from "preact-render-to-string";
import { drawBlock } from "./blocks/index.js";
import { highlight, isKnown } from "./code/highlight.js";
import { codeIn } from "./code/in-document.js";
import { mathml } from "./code/math.js";
import { createTimeBudget, runWithin, type TimeBudget } from "./code/time-budget.js";
import { createInclusions } from "./inclusions.js";
import { drawInline } from "./inlines/index.js";
import { notes } from "./notes.js";
import { drawOperation } from "./openapi/operation.js";
import type { Operation, Page } from "./page.js";
import type { Html, Scope } from "./scope.js";

/** What lies deeper is drawn as its words: reading documents stops long before. */
const MAX_DEPTH = 120;
/** The level of the title, below which a document stands. */
const TITLE_LEVEL = 1;
/** Blocks that stand near the top of a page. */
const NEAR_TOP = 8;
/** Milliseconds that the colors and formulas of a page may take. */
const HIGHLIGHT_BUDGET_MS = 500;

interface Options {
  /** Milliseconds that the colors and formulas of the page may take; with 0 they are drawn as they are written. */
  time?: number;
}

/**
 * The HTML of a document, with what `page` knows of the addresses in it. Words are escaped, addresses are written when they
 * are http, https, mailto, tel or relative, and elements and attributes are ours alone, whatever the document holds. It
 * grows with the document and with what it includes, which is bounded.
 */
export function renderDocument(
  document: JSONDocument,
  page: Page,
  { time = HIGHLIGHT_BUDGET_MS }: Options = {},
): string {
  // All of it within one deadline, which most documents keep; the pieces of the others have one each.
  const drawn = renderWithin(time / 2, document, page);
  return drawn ?? drawIn(createScope(page, createTimeBudget(time / 2)), document);
}

/**
 * The HTML of a document as `renderDocument` writes it, for whoever has others waiting: undefined when it takes more than
 * so many milliseconds, not counted what is loaded for it once and for all.
 */
export function renderWithin(ms: number, document: JSONDocument, page: Page): string | undefined {
  if (ms < 1) return undefined;
  // A deadline takes a watchdog thread, which costs a good part of a short document. Included content is still timed.
  if (isCodeKnown(document)) {
    const budget = createTimeBudget(ms);
    const drawn = drawIn(createScope(page, budget), document);
    return budget.isOver ? undefined : drawn;
  }
  const draw = (budget: TimeBudget) => runWithin(ms, () => drawIn(createScope(page, budget), document));
  let budget = createTimeBudget(ms, { watched: false });
  let drawn = draw(budget);
  if (budget.wanted.length > 0) {
    for (const load of budget.wanted) load();
    budget = createTimeBudget(ms, { watched: false });
    drawn = draw(budget);
  }
  return budget.isOver || budget.wanted.length > 0 ? undefined : drawn;
}

/** Whether a document has code and all of it was highlighted before, so that drawing it takes no time that is counted. */
function isCodeKnown(document: JSONDocument): boolean {
  const codes = codeIn(document);
  return codes.length > 0 && codes.every(isKnown);
}

/** Writes a block at a time: elements of a whole long document would be copied again and again to collect the garbage. */
function drawIn(scope: Scope, document: JSONDocument): string {
  const parts = blocksOf(document).map((block) => renderHtml(scope.blocks([block])));
  // Notes may have notes of their own.
  return [...parts, renderHtml(notes(scope))].join("");
}

/** The HTML of an operation of an API that no document holds. */
export const renderOperation = (
  shown: Operation,
  address: { method: string; path: string },
  page: Page,
  { time = HIGHLIGHT_BUDGET_MS }: Options = {},
): string => renderHtml(drawOperation(shown, address, createScope(page, createTimeBudget(time))));

/** Writes elements as HTML. */
export const renderHtml = (html: Html): string => renderToString(h(Fragment, null, html));

function createScope(page: Page, time: TimeBudget): Scope {
  let [depth, linked, ids, blocks, led] = [0, false, 0, 0, false];
  /** The depths of the headings that what is drawn stands below: the first one is the title of the page. */
  let above = [TITLE_LEVEL];
  const including = createInclusions();
  const deeper = (nodes: readonly { object: string }[], draw: () => Html): Html => {
    if (depth >= MAX_DEPTH) return plainText(nodes as (Block | InlineNode)[]);
    depth += 1;
    const drawn = draw();
    depth -= 1;
    return drawn;
  };
  const scope: Scope = {
    page,
    blocks: (nodes = []) =>
      deeper(nodes, () =>
        blocksOf({ nodes: nodes as Block[] }).map((block) => {
          blocks += 1;
          return drawBlock(block, scope);
        }),
      ),
    inlines: (nodes = []) =>
      deeper(nodes, () => inlinesOf({ nodes: nodes as InlineNode[] }).map((node) => drawInline(node, scope))),
    inLink(draw) {
      const before = linked;
      linked = true;
      const drawn = draw();
      linked = before;
      return drawn;
    },
    get linked() {
      return linked;
    },
    notes: [],
    id: (kind) => `~${kind}-${++ids}`,
    isLargestPicture() {
      const isLargestPicture = !led && blocks <= NEAR_TOP;
      led = true;
      return isLargestPicture;
    },
    level(depth) {
      above = [...above.filter((one) => one < depth), depth];
      return above.length === depth ? undefined : above.length;
    },
    include: (of, nodes) => including.draw(of, nodes, () => scope.blocks(nodes)),
    highlight: (text, syntax) => highlight(text, syntax, time),
    formula: (text, display) => mathml(text, display, time),
  };
  return scope;
}
