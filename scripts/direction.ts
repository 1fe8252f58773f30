import { posix } from "node:path";
import { importsOf } from "./imports-of.js";

type Sources = Map<string, string>;
/** What each node imports. */
type Graph = Map<string, Iterable<string>>;

/**
 * Finds what has no direction among the sources of one package: imports of what comes later in `order`, and circles of
 * files and of folders. `sources` maps paths below `src` to texts; without an order only circles are looked for.
 */
export function problemsOf(sources: Sources, order?: string[]): string[] {
  const files = new Map(
    [...sources].map(([file, text]) => [
      file,
      importsOf(text).flatMap(({ from }) => targetOf(file, from, sources)),
    ]),
  );
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const known = folders.get(folderOf(file)) ?? new Set<string>();
    for (const target of targets) if (folderOf(target) !== folderOf(file)) known.add(folderOf(target));
    folders.set(folderOf(file), known);
  }
  return [
    ...(order ? wrongWays(files, order) : []),
    ...circlesIn(files).map((circle) => `files import each other: ${circle.join(", ")}`),
    ...circlesIn(folders).map((circle) => `folders import each other: ${circle.join(", ")}`),
  ];
}

/** Whether a file is for tests alone: they may import what they like. */
export const isForTests = (file: string): boolean =>
  /\.test\.ts$|(^|\/)testing([-/][^/]*)?(\.ts$|\/)/.test(file);

function wrongWays(files: Map<string, string[]>, order: string[]): string[] {
  const rankOf = (file: string) => order.indexOf(layerOf(file, order));
  return [...files].flatMap(([file, targets]) => {
    if (rankOf(file) < 0) return [`${file} has no place in scripts/layers.ts`];
    return targets
      .filter((target) => rankOf(target) > rankOf(file))
      .map((target) => `${file} imports ${target}, which comes later in scripts/layers.ts`);
  });
}

/** `library/spaces/rules.ts` → `library`, `trpc.ts` → `trpc`, `migrations.ts` beside `migrations/` → `migrations.ts` */
function layerOf(file: string, order: string[]): string {
  const [first = ""] = file.split("/");
  return first.endsWith(".ts") && !order.includes(first) ? first.slice(0, -".ts".length) : first;
}

/**
 * Files beside the folders of a service stand for themselves: the context lies below all folders, the router above.
 * The operations in `rules` are part of the folder around it.
 */
const folderOf = (file: string) => (file.includes("/") ? posix.dirname(file).replace(/\/rules$/, "") : file);

function targetOf(file: string, from: string, sources: Sources): string[] {
  if (!from.startsWith(".")) return [];
  const module = posix.join(posix.dirname(file), from).replace(/\.js$/, "");
  return [".ts", ".tsx"].map((kind) => module + kind).filter((one) => sources.has(one) && one !== file);
}

/** The strongly connected parts of a graph that are more than one node, by Tarjan's algorithm. */
function circlesIn(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  function visit(node: string) {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== index.get(node)) return;
    const part = stack.splice(stack.indexOf(node));
    if (part.length > 1) circles.push(part.sort());
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return circles;
}
