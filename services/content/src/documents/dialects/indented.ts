/** A block of MkDocs, which holds the lines that are indented below it. */
interface Indented {
  indent: string;
  kind: "note" | "details" | "tab";
  name: string;
  title?: string;
}

const DEEPEST = 32;
const WIDTH = 4;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/**
 * Rewrites the blocks that Material for MkDocs marks by indentation (`!!! note`, `??? note`, `=== "Tab"`) as containers
 * of colons, in which the same blocks stand without it. Lines of code stay.
 */
export function outdentBlocks(lines: string[], depth = 0): string[] {
  const out: string[] = [];
  let fence: string | undefined;
  let tabs: { indent: string } | undefined;
  const colons = ":".repeat(3 + DEEPEST - depth);
  const endTabs = () => {
    if (tabs) out.push(`${tabs.indent}${colons}:`, "");
    tabs = undefined;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const mark = FENCE.exec(line)?.[1];
    if (mark && (fence === undefined || (line.trim() === mark && mark.startsWith(fence)))) {
      endTabs();
      fence = fence === undefined ? mark : undefined;
      out.push(line);
      continue;
    }
    const block = fence === undefined && depth < DEEPEST ? blockAt(line) : undefined;
    if (!block) {
      if (line.trim() !== "") endTabs();
      out.push(line);
      continue;
    }
    const end = endOfIndented(lines, at, block.indent.length + WIDTH);
    const inner = lines
      .slice(at + 1, end)
      .map((one) => one.slice(Math.min(one.length, block.indent.length + WIDTH)));
    const trailing = inner.length - inner.findLastIndex((one) => one.trim() !== "") - 1;
    const body = outdentBlocks(inner.slice(0, inner.length - trailing), depth + 1).map((one) =>
      one === "" ? one : block.indent + one,
    );
    if (block.kind !== "tab") endTabs();
    else if (!tabs) {
      tabs = { indent: block.indent };
      out.push(`${block.indent}${colons}: tabs`);
    }
    const name = block.kind === "note" ? block.name : block.kind;
    const title = block.title ? ` ${block.title}` : "";
    out.push(`${block.indent}${colons} ${name}${title}`, ...body, `${block.indent}${colons}`, "");
    at = end - 1 - trailing;
  }
  endTabs();
  return out;
}

function blockAt(line: string): Indented | undefined {
  const found = /^( *)(!!!|\?\?\?\+?|===[!+]?)[ \t]+(.*)$/.exec(line);
  if (!found) return undefined;
  const [, indent = "", mark = "", rest = ""] = found;
  const quoted = /"([^"]*)"/.exec(rest)?.[1];
  if (mark.startsWith("==="))
    return quoted === undefined ? undefined : { indent, kind: "tab", name: "tab", title: quoted };
  const name = /^[A-Za-z][\w-]*/.exec(rest)?.[0].toLowerCase();
  if (name === undefined) return undefined;
  const title = quoted ?? (mark === "!!!" ? undefined : name[0]!.toUpperCase() + name.slice(1));
  return { indent, kind: mark === "!!!" ? "note" : "details", name, title };
}

/** Behind the lines that are indented so far, with the blank ones between them. */
function endOfIndented(lines: string[], from: number, width: number): number {
  let end = from + 1;
  while (end < lines.length && (lines[end]!.trim() === "" || /^ */.exec(lines[end]!)![0].length >= width))
    end += 1;
  return end;
}
