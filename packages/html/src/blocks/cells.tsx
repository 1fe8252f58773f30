import type { Data } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import { type Cell, imageIn, readCell } from "../cell-data.js";
import { listIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import { icon } from "../icons.js";
import { picture } from "../picture.js";
import type { Html, Scope } from "../scope.js";
import type { Column, Row } from "../table-data.js";
import { linkUrl } from "../urls.js";

/** Draws the title of a column. */
export function columnTitle({ definition, title }: Column, scope: Scope): Html {
  const nodes = listIn(definition, "nodes") as { object: string }[];
  return nodes.length > 0 ? scope.inlines(nodes) : title;
}

/** Draws what stands in a cell. */
export function cell(row: Row, column: Column, scope: Scope): Html {
  const held = readCell(row, column);
  return held && draw(held, scope);
}

function draw(held: Cell, scope: Scope): Html {
  const { words } = scope.page;
  switch (held.kind) {
    case "line":
      return scope.inlines(held.nodes);
    case "blocks":
      return scope.blocks(held.nodes);
    case "number":
      return held.text;
    case "checkbox": {
      const { done } = held;
      return <input type="checkbox" checked={done} disabled aria-label={done ? words.done : words.open} />;
    }
    case "rating": {
      const { count, most } = held;
      return (
        <span class="rating" role="img" aria-label={words.stars(count, most)}>
          {"★".repeat(count) + "☆".repeat(most - count)}
        </span>
      );
    }
    case "select":
      return held.labels.map((label) => <span class="tag">{label}</span>);
    case "users":
      return held.refs.flatMap((ref) => scope.page.link(ref)?.title ?? []).join(", ") || undefined;
    case "files":
      return held.refs.map((ref) => fileLink(ref, scope));
    case "content-ref":
      return pageLink(held.ref, scope);
    case "image":
      return picture({ ref: held.ref, alt: "" }, scope);
  }
}

function pageLink(ref: Ref | undefined, scope: Scope): Html {
  const target = ref && scope.page.link(ref);
  const href = target && linkUrl(target.href);
  const words = target?.title ?? target?.href;
  if (href === undefined) return words;
  return (
    <a href={href} {...externalLinkAttributes(href, scope.page)}>
      {words}
    </a>
  );
}

function fileLink(ref: Ref, scope: Scope): Html {
  const found = scope.page.file(ref);
  const href = found && linkUrl(found.href);
  if (href === undefined) return undefined;
  return (
    <a class="file-name" href={href} download={found!.name}>
      {icon("paperclip")}
      {found!.name}
    </a>
  );
}

/** An image of a cell, which may say how it fits besides what it is. */
export const imageCell = (values: Data, id: string, alt: string, scope: Scope, className?: string): Html =>
  picture({ ref: imageIn(values, id), alt, ...(className && { className }) }, scope);
