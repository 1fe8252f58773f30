import { withoutHidden } from "@octavo/markdown/text/hidden-text";
import { permits } from "../permissions.js";
import type { ResolvedTarget } from "../revisions/target.js";
import type { PageEntry, ReusableContentEntry } from "../store/version.js";
import type { Evaluated } from "./schema.js";

// What somebody sees of a public space who may not read it: what every visitor of its site does. That leaves out what
// is for some visitors only, and what is written for those who work on the text.

/** Whether the caller views the content only because it is public. */
export const isVisitor = ({ level }: ResolvedTarget): boolean => !permits(level, "space.access");

/** Whether a page is shown: one with a condition is for visitors who make claims. */
export const isShown =
  (scope: ResolvedTarget) =>
  ({ props }: PageEntry): boolean =>
    !isVisitor(scope) || !props.condition;

/**
 * An entry with the words that it is called and described by as the caller is shown them. Nobody evaluates these words:
 * what stands in a condition there is left out for all visitors, and where the text is evaluated as well.
 */
export const redactTitle =
  (scope: ResolvedTarget, evaluated: Evaluated = "false") =>
  <Shown extends PageEntry | ReusableContentEntry>(entry: Shown): Shown => {
    if (!isVisitor(scope) && evaluated !== "true") return entry;
    const { description } = entry.props;
    const props = description ? { ...entry.props, description: withoutHidden(description) } : entry.props;
    return { ...entry, title: withoutHidden(entry.title) || "Untitled", props };
  };

/** Whether a page is shown, by the line from it up. To visitors it has to reach the top: what is above decides too. */
export const isVisibleWithAncestors = (scope: ResolvedTarget, line: PageEntry[]): boolean =>
  line.every(isShown(scope)) && (!isVisitor(scope) || line.at(-1)!.parent === null);
