import temml from "temml";
import type { Allowance } from "./deadline.js";

const LONGEST = 4_000;
const DEADLINE = 200;
/** Characters of MathML per formula: macros may not make much of little. */
const MOST_OUTPUT = 200_000;

/** What reading the first formula sets up is nobody's formula to pay for. */
let ready = false;

/**
 * The MathML of a formula in TeX; undefined when it is none, or takes too much to read. No command of it names an address
 * or an attribute.
 */
export function mathml(formula: string, display: boolean, time: Allowance): string | undefined {
  if (formula.length > LONGEST) return undefined;
  if (!ready) temml.renderToString("\\frac{x^2}{\\sqrt{y}}");
  ready = true;
  const made = time.spend(DEADLINE, () => {
    try {
      const options = {
        displayMode: display,
        trust: false,
        throwOnError: true,
        maxExpand: 200,
        maxSize: [20, 20],
      };
      return temml.renderToString(formula, options as Parameters<typeof temml.renderToString>[1]);
    } catch {
      return undefined;
    }
  });
  return made === undefined || made.length > MOST_OUTPUT ? undefined : made;
}
