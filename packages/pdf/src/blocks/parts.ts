import { anchorOf } from "@octavo/html/anchor";
import { listIn, objectIn, oneOf, percentIn, pixelsIn, refIn, textIn } from "@octavo/html/data";
import { dayIn } from "@octavo/html/dates";
import { outlineOfIcon } from "@octavo/html/icons";
import { type Block, blocksOf } from "@octavo/markdown/document/nodes";
import { type Content, element } from "../element.js";
import { leadsOf } from "../inlines/links.js";
import type { Scope } from "../scope.js";
import { words } from "../words.js";
import { diagram } from "./code.js";
import { contentRef } from "./media.js";

/** What is opened by its title is open. */
export function expandable(block: Block, scope: Scope): Content {
  const part = (name: string) =>
    block.fragments?.find(({ fragment, type }) => fragment === name || type === name)?.nodes ?? [];
  const title = part("expandable-title").map(({ nodes }) => scope.withoutNotes(() => scope.inlines(nodes)));
  const label = scope.label(anchorOf(block));
  const body = element("box", { title, body: scope.blocks(part("expandable-body")) });
  return label === undefined ? body : [element("anchor", { label }), body];
}

/** Tabs, one below the other. */
export function tabs(block: Block, scope: Scope): Content {
  const drawn = blocksOf(block).map((item, index) => {
    const label = scope.label(anchorOf(item));
    const icon = outlineOfIcon(textIn(item.data, "icon"));
    const title = words(textIn(item.data, "title") ?? `${index + 1}`);
    return { ...(label !== undefined && { label }), title, icon, body: scope.blocks(item.nodes) };
  });
  return element("tabs", { tabs: drawn });
}

/** A part by itself: of a block that holds only such parts. */
export const part = (block: Block, scope: Scope): Content => scope.blocks(block.nodes);

/** Steps, one after the other. */
export function stepper({ nodes }: Block, scope: Scope): Content {
  const steps = blocksOf({ nodes }).map((step) => ({
    icon: outlineOfIcon(textIn(step.data, "icon")),
    body: scope.blocks(step.nodes),
  }));
  return element("steps", { steps });
}

/** Columns beside each other. */
export function columns({ nodes }: Block, scope: Scope): Content {
  const drawn = blocksOf({ nodes }).map(({ data, nodes: inner }) => {
    const percent = percentIn(data, "width") ?? (pixelsIn(data, "width") ?? 0) / 7.5;
    return {
      share: percent > 0 ? Math.min(100, Math.max(5, percent)) : 0,
      side: oneOf(["middle", "bottom"] as const, data?.verticalAlignment) ?? ("top" as const),
      body: scope.blocks(inner),
    };
  });
  return element("columns", { columns: drawn });
}

/** What changed, the newest first as its authors have it. */
export function updates({ nodes }: Block, scope: Scope): Content {
  const drawn = blocksOf({ nodes }).map(({ data, nodes: inner }) => {
    const date = textIn(data, "date");
    const tags = listIn(data, "tags").flatMap((ref) => {
      const tag = (ref as { tag?: unknown } | null)?.tag;
      return typeof tag === "string" ? [tag] : [];
    });
    const machine = date && /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0];
    const shown = (machine && dayIn(scope.words.dates, machine)) ?? date;
    return { ...(shown && { date: shown }), tags, body: scope.blocks(inner) };
  });
  return element("updates", { updates: drawn });
}

/** A prompt for an assistant. */
export function prompt({ data, nodes }: Block, scope: Scope): Content {
  const title = words(textIn(data, "description") ?? scope.words.prompt);
  const icon = outlineOfIcon(textIn(data, "icon")) ?? outlineOfIcon("wand-magic-sparkles");
  return element("box", { title, icon, body: scope.blocks(nodes) });
}

/** What the page shares with others; nothing where it is not known. */
export function reusableContent({ data }: Block, scope: Scope): Content {
  const ref = refIn(data);
  const included = ref && scope.reusable(ref);
  return included && scope.include(included, included.nodes);
}

/** A block of an integration: a diagram by its source, others by the address that they show. */
export function integration(block: Block, scope: Scope): Content {
  const { data } = block;
  const source = textIn(objectIn(data, "props"), "content");
  if (textIn(data, "integration") === "mermaid" && source !== undefined) return diagram(source);
  const url = textIn(data, "url");
  return url === undefined ? undefined : contentRef({ ...block, data: { ref: { kind: "url", url } } }, scope);
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** An operation of an API by its method and path, a webhook by its name, or schemas by theirs. */
export function operation({ data }: Block, scope: Scope): Content {
  const method = oneOf(METHODS, textIn(data, "method")?.toLowerCase());
  const schemas = listIn(data, "schemas").filter((name) => typeof name === "string");
  const path = textIn(data, "path") ?? textIn(data, "name") ?? schemas.join(", ");
  const target = scope.link(refIn(data));
  return element("operation", { ...(target && leadsOf(target)), ...(method && { method }), path });
}
