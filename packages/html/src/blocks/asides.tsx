import type { Block } from "@octavo/markdown/document/nodes";
import { oneOf, textIn } from "../data.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";

/** A line between two parts. */
export const divider = (): Html => <hr />;

/** A quotation. */
export const blockquote = ({ nodes }: Block, scope: Scope): Html => (
  <blockquote>{scope.blocks(nodes)}</blockquote>
);

const STYLES = ["info", "success", "warning", "danger"] as const;
const ICONS = {
  info: "circle-info",
  success: "circle-check",
  warning: "triangle-exclamation",
  danger: "circle-exclamation",
};

/** A hint, in the color of its style, with its name for screen readers. */
export function hint({ data, nodes }: Block, scope: Scope): Html {
  const style = oneOf(STYLES, data?.style) ?? "info";
  return (
    <aside class={`hint ${style}`} aria-label={scope.page.words[style]}>
      {icon(textIn(data, "icon")) ?? icon(ICONS[style])}
      <div>{scope.blocks(nodes)}</div>
    </aside>
  );
}

/** A condition that nobody has decided hides what it holds. */
export const condition = (): Html => undefined;
