import { parseSync } from "vite";

/** One change of a source that its tests should notice. */
export interface Mutant {
  /** Where it begins, as `line:column`. */
  at: string;
  /** What stands there, and what takes its place. */
  from: string;
  to: string;
  start: number;
  end: number;
  /** The smallest expression or statement around it that can be evaluated in one way or another. */
  around: Span;
}

export interface Span {
  start: number;
  end: number;
  isStatement: boolean;
}

/** A node of the syntax tree, with the fields that are looked at. */
interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  operator?: string;
  value?: unknown;
  left?: Node;
  right?: Node;
  test?: Node;
  consequent?: Node;
  alternate?: Node;
  argument?: Node;
  expression?: Node;
  callee?: Node;
  object?: Node;
  property?: Node;
  id?: Node;
  init?: Node | null;
  elements?: unknown[];
}

const OPPOSITES: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};
const METHODS = new Map(Object.entries({ some: "every", every: "some", max: "min", min: "max" }));
/** They have no part in what happens. */
const TYPES = new Set([
  "typeAnnotation",
  "typeParameters",
  "typeArguments",
  "returnType",
  "superTypeArguments",
]);
/** The fields by which a chain goes on to its beginning. */
const LINKS = new Set(["expression", "callee", "object"]);
const TRANSPARENT = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** The numbers of a comparison: outcomes 1 and -1, beside another number or comparison. */
function signsIn({ type, test, consequent, alternate }: Node): Node[] {
  if (type !== "ConditionalExpression" || !/^[<>]/.test(test!.operator ?? "")) return [];
  const numbers = [consequent!, alternate!].map((node) => (node.operator === "-" ? node.argument! : node));
  const isSign = ({ value }: Node) => value === 1 || value === 0;
  const isOrder = numbers.every((node) => isSign(node) || node.type === "ConditionalExpression");
  return isOrder ? numbers.filter(isSign) : [];
}

/** The number of a constant that is named as milliseconds: no test can tell one millisecond more. */
function durationIn({ type, id, init }: Node): Node[] {
  const isDuration = type === "VariableDeclarator" && /^[A-Z][A-Z\d_]*_MS$/.test(id!.name ?? "");
  return isDuration && typeof init?.value === "number" ? [init] : [];
}

/** All mutants of a TypeScript source, in its order. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  /** Numbers that stay as they are: durations, and outcomes of a comparison `? -1 : 1`, of which only the sign counts. */
  const kept = new Set<Node>();
  const text = ({ start, end }: Node) => source.slice(start, end);

  function mutate(node: Node, chain: Node) {
    const replace = ({ start, end }: Pick<Node, "start" | "end">, to: string, whole = chain) => {
      const before = source.slice(0, start);
      const at = `${before.split("\n").length}:${start - before.lastIndexOf("\n")}`;
      const isStatement = whole.type === "ExpressionStatement";
      const around = { start: whole.start, end: whole.end, isStatement };
      mutants.push({ at, from: source.slice(start, end), to, start, end, around });
    };
    const { left, right, test, operator = "", argument, callee, value } = node;
    switch (node.type) {
      case "VariableDeclarator":
        for (const duration of durationIn(node)) kept.add(duration);
        break;
      case "BinaryExpression":
      case "LogicalExpression": {
        const opposite = OPPOSITES[operator];
        const start = left!.end + source.slice(left!.end, right!.start).indexOf(operator);
        if (opposite) replace({ start, end: start + operator.length }, opposite);
        if (operator === "??") replace(node, text(left!));
        break;
      }
      case "UnaryExpression":
        if (operator === "!") replace(node, text(argument!));
        break;
      case "ConditionalExpression":
      case "IfStatement":
        for (const sign of signsIn(node)) kept.add(sign);
        replace(test!, "true", test!);
        replace(test!, "false", test!);
        break;
      case "Literal":
        if (typeof value === "boolean") replace(node, String(!value));
        if (typeof value === "number" && !kept.has(node)) replace(node, String(value + 1));
        if (typeof value === "string" && value !== "") replace(node, '""');
        break;
      case "ArrayExpression":
        if (node.elements!.length > 0) replace(node, "[]");
        break;
      case "CallExpression": {
        if (callee!.type !== "MemberExpression") break;
        const { object, property } = callee!;
        const method = METHODS.get(property!.name ?? "");
        if (method) replace(property!, method);
        if (property!.name === "filter") replace(node, text(object!));
        break;
      }
      case "ExpressionStatement":
        if (/Await|Call/.test(node.expression!.type)) replace(node, ";");
        break;
    }
  }

  /** `chain` is the whole `a?.b.c()` of which the node is the beginning: what it leaves out, it leaves out as a whole. */
  function walk(node: Node, chain: Node = node) {
    if (node.type === "ImportDeclaration") return;
    if (node.type.startsWith("TS") && !TRANSPARENT.has(node.type)) return;
    mutate(node, chain);
    const isLink = node.type === "ChainExpression" || chain !== node;
    for (const [field, child] of Object.entries(node)) {
      // The name of a property that is no value, and what is exported from elsewhere.
      if (TYPES.has(field) || field === "key" || field === "source") continue;
      for (const each of Array.isArray(child) ? child : [child])
        if (isNode(each)) walk(each, isLink && LINKS.has(field) ? chain : each);
    }
  }

  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  walk(program as unknown as Node);
  return mutants.toSorted((one, other) => one.start - other.start);
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
