import { createRequire } from "node:module";
import type { TimeBudget } from "./time-budget.js";

const MAX_FORMULA_LENGTH = 4_000;
const DEADLINE = 200;
/** Characters of MathML per formula: macros may not make much of little. */
const MOST_OUTPUT = 200_000;

/**
 * The MathML of a formula in TeX; undefined when it is none, or takes too much to read. No command of it names an address
 * or an attribute.
 */
export function mathml(formula: string, display: boolean, time: TimeBudget): string | undefined {
  return read(formula, display, time)?.markup;
}

/** A node of MathML: an element with its children, or a text. */
export interface MathNode {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  classes?: string[];
  children?: MathNode[];
}

/** The tree of a formula's MathML; undefined as `mathml` is. */
export function mathTree(formula: string, display: boolean, time: TimeBudget): MathNode | undefined {
  return read(formula, display, time)?.tree;
}

interface Tree extends MathNode {
  toMarkup(): string;
}

type TreeOf = (formula: string, options: object) => Tree;

const require = createRequire(import.meta.url);
/** What reads formulas, which takes four megabytes of each thread: most threads draw none. */
let treeOf: TreeOf | undefined;

/** Loads what reads formulas. What the first one sets up is nobody's formula to pay for. */
function getReady(options: object): void {
  // Cast: the library has no types of what it makes its markup of.
  const { __renderToMathMLTree } = require("temml") as { __renderToMathMLTree: TreeOf };
  __renderToMathMLTree("\\frac{x^2}{\\sqrt{y}}", options).toMarkup();
  treeOf = __renderToMathMLTree;
}

function read(
  formula: string,
  displayMode: boolean,
  time: TimeBudget,
): { tree: MathNode; markup: string } | undefined {
  if (formula.length > MAX_FORMULA_LENGTH) return undefined;
  const options = { displayMode, trust: false, throwOnError: true, maxExpand: 200, maxSize: [20, 20] };
  if (!treeOf) time.load(() => getReady(options));
  const known = treeOf;
  if (!known) return undefined;
  const made = time.spend(DEADLINE, () => {
    try {
      const tree = known(formula, options);
      return { tree, markup: tree.toMarkup() };
    } catch {
      return undefined;
    }
  });
  return made && made.markup.length <= MOST_OUTPUT ? made : undefined;
}
