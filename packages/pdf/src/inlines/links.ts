import { refIn, textIn } from "@octavo/html/data";
import { type Inline, plainText } from "@octavo/markdown/document/nodes";
import { type Content, element, type Leads } from "../element.js";
import type { Led, Scope } from "../scope.js";
import { words } from "../words.js";

/** Where a target leads, without its label. */
export const leadsOf = ({ to, at }: Led): Leads => ({
  ...(to !== undefined && { to }),
  ...(at !== undefined && { at }),
});

/** A link; words alone where it leads nowhere. */
export function link(node: Inline, scope: Scope): Content {
  const target = scope.link(refIn(node.data));
  const empty = plainText(node.nodes ?? []).trim() === "" && !(node.nodes ?? []).some(isPicture);
  const drawn = () => (empty ? words(target?.title ?? target?.to ?? "") : scope.inlines(node.nodes));
  if (scope.linked || !target) return drawn();
  return element("link", { ...leadsOf(target), body: scope.inLink(drawn) });
}

const isPicture = (node: { object: string; type?: string }) =>
  node.object === "inline" && ["inline-image", "icon", "emoji", "inline-math"].includes(node.type ?? "");

/** A link that looks like a button. */
export function button({ data }: Inline, scope: Scope): Content {
  const kind = textIn(data, "kind") === "secondary" ? "secondary" : "button";
  const body = words(textIn(data, "label") ?? "");
  const target = scope.link(refIn(data));
  if (!target || scope.linked) return element("tag", { body });
  return element("link", { ...leadsOf(target), kind, body });
}

/** A page or somebody that is named in a line of text. */
export function mention({ data }: Inline, scope: Scope): Content {
  const target = scope.link(refIn(data));
  if (!target) return undefined;
  const body = words(target.title ?? target.to ?? "");
  if (scope.linked || (target.to === undefined && target.at === undefined)) return body;
  return element("link", { ...leadsOf(target), body });
}
