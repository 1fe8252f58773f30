import { parseSync } from "vite";
import { isForTests } from "./direction.js";

interface Node {
  type: string;
  start: number;
  end: number;
  declaration?: Node | null;
  declarations?: { id: { name?: string }; init?: Node | null }[];
  /** What stands in parentheses, or before `satisfies` or `as`. */
  expression?: Node;
  id?: { name?: string } | null;
}

interface Comment {
  type: string;
  value: string;
  end: number;
}

/**
 * Finds the functions that a source exports without a docstring, or with one whose first line cannot stand alone, as
 * `line: problem`. Constants count when they are functions; of an overloaded function the first signature counts.
 */
export function docstringProblems(file: string, source: string): string[] {
  const { program, comments } = parseSync(file, source);
  const docs = new Map((comments as Comment[]).map((comment) => [comment.end, comment]));
  const overloaded = new Set<string>();
  return (program.body as unknown as Node[]).flatMap((statement) => {
    const names = exportedFunctions(statement).filter((name) => !overloaded.has(name));
    if (names.length === 0) return [];
    if (statement.declaration?.type === "TSDeclareFunction") for (const name of names) overloaded.add(name);
    const before = source.slice(0, statement.start).trimEnd().length;
    const problem = problemOf(docs.get(before));
    const line = source.slice(0, statement.start).split("\n").length;
    return problem ? [`${line}: ${names.join(", ")} ${problem}`] : [];
  });
}

function exportedFunctions({ type, declaration }: Node): string[] {
  if (!/^Export(Named|Default)Declaration$/.test(type) || !declaration) return [];
  if (/^(FunctionDeclaration|TSDeclareFunction)$/.test(declaration.type))
    return [declaration.id?.name ?? "default"];
  if (declaration.type !== "VariableDeclaration") return [];
  return (declaration.declarations ?? []).flatMap(({ id, init }) =>
    isFunction(init) ? (id.name ?? []) : [],
  );
}

function isFunction(node: Node | null | undefined): boolean {
  if (/^(TSSatisfies|TSAs|Parenthesized)Expression$/.test(node?.type ?? ""))
    return isFunction(node?.expression);
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

function problemOf(comment: Comment | undefined): string | undefined {
  if (comment?.type !== "Block" || !comment.value.startsWith("*")) return "has no docstring";
  const [first = ""] = comment.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s*/, "").trim())
    .filter((line) => line !== "");
  if (first === "") return "has no docstring";
  if (/^(the same|also|as above|see above|and )\b/i.test(first))
    return `has a docstring that cannot stand alone: "${first}"`;
  return undefined;
}

const PLACES = [
  /^packages\/(shared|markdown|html)\/src\//,
  /^services\/[^/]+\/src\/(.+\/)?(rules|queries)(\.ts$|\/)/,
  /^services\/(sites|integrations)\/src\/store\//,
];

/** Whether the functions of a file need docstrings: rules, queries, stores, shared, markdown and html, without their tests. */
export const needsDocstrings = (file: string): boolean =>
  /\.tsx?$/.test(file) && !isForTests(file) && PLACES.some((place) => place.test(file));
