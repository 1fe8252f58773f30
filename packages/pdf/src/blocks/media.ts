import { isSet, oneOf, refIn, textIn } from "@octavo/html/data";
import { outlineOfIcon } from "@octavo/html/icons";
import { sizeText } from "@octavo/html/size";
import { hostOf } from "@octavo/html/urls";
import { type Block, blocksOf, type Fragment } from "@octavo/markdown/document/nodes";
import { type Content, element, isNothing } from "../element.js";
import { leadsOf } from "../inlines/links.js";
import { outside } from "../leads.js";
import { picture } from "../picture.js";
import type { Scope } from "../scope.js";
import { words } from "../words.js";

/** Images that stand together. */
export function images({ data, nodes }: Block, scope: Scope): Content {
  const align = oneOf(["left", "right"] as const, data?.align);
  const drawn = blocksOf({ nodes })
    .map((one) => image(one, scope, isSet(data, "withFrame")))
    .filter((one) => !isNothing(one));
  return drawn.length === 0 ? undefined : element("figure", { ...(align && { align }), images: drawn });
}

/** An image with its caption; its words where there is none to be shown. */
export function image({ data, fragments }: Block, scope: Scope, framed = false): Content {
  const alt = textIn(data, "alt") ?? "";
  const shown = picture({ ref: refIn(data), alt, data }, scope);
  const body = shown ? element("image", { ...shown, framed }) : alt && element("quote", { body: words(alt) });
  return captioned(body || undefined, fragments, scope);
}

function captioned(body: Content, fragments: Fragment[] | undefined, scope: Scope): Content {
  const nodes = (fragments?.find(({ fragment }) => fragment === "caption") ?? fragments?.[0])?.nodes ?? [];
  const caption = scope.blocks(nodes);
  if (isNothing(caption)) return body;
  return isNothing(body) ? caption : element("captioned", { body, caption });
}

/** A drawing, which is an image to those who only read. */
export const drawing = (block: Block, scope: Scope): Content => image(block, scope);

/** A file by its name and size: what a PDF would lead to is gone before long. */
export function file({ data, fragments }: Block, scope: Scope): Content {
  const found = scope.file(refIn(data));
  if (!found) return captioned(undefined, fragments, scope);
  const below = found.size === undefined ? undefined : sizeText(found.size);
  const card = element("card", { title: words(found.name), below, icon: outlineOfIcon("file-lines") });
  return captioned(card, fragments, scope);
}

/** Something of another site: a card that leads to it. */
export function embed({ data, fragments }: Block, scope: Scope): Content {
  const url = textIn(data, "url") ?? "";
  const leads = outside(url);
  const caption = fragments?.[0]?.nodes ?? [];
  const title =
    caption.length > 0 ? caption.map(({ nodes }) => scope.inLink(() => scope.inlines(nodes))) : words(url);
  return element("card", {
    ...leads,
    title,
    ...(leads && { below: words(hostOf(url) ?? "") }),
    icon: outlineOfIcon("arrow-up-right-from-square"),
  });
}

/** A card that leads to a page or elsewhere. */
export function contentRef({ data }: Block, scope: Scope): Content {
  const target = scope.link(refIn(data));
  const title = target?.title ?? textIn(data, "text") ?? target?.to ?? "";
  if (title === "") return undefined;
  const below = target && (target.description ?? (target.to && hostOf(target.to)));
  return element("card", {
    ...(target && leadsOf(target)),
    title: words(title),
    ...(below && { below: words(below) }),
    ...(target?.emoji && { emoji: target.emoji }),
    icon: outlineOfIcon(target?.icon ?? (target?.to === undefined ? "file-lines" : "link")),
  });
}
