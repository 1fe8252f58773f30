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
  argument?: Node;
  expression?: Node;
  callee?: Node;
  object?: Node;
  property?: Node;
  elements?: unknown[];
}

const OPPOSITES: Record<string, string> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "==": "!=", "!=": "==" },
  ...{ "+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&" },
};
const METHODS: Record<string, string> = { some: "every", every: "some", max: "min", min: "max" };
/** They have no part in what happens. */
const TYPES = new Set([
  "typeAnnotation",
  "typeParameters",
  "typeArguments",
  "returnType",
  "superTypeArguments",
]);
const TRANSPARENT = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** All mutants of a TypeScript source, in its order. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const replace = ({ start, end }: Pick<Node, "start" | "end">, to: string) => {
    const before = source.slice(0, start);
    const at = `${before.split("\n").length}:${start - before.lastIndexOf("\n")}`;
    mutants.push({ at, from: source.slice(start, end), to, start, end });
  };
  const text = ({ start, end }: Node) => source.slice(start, end);

  function mutate(node: Node) {
    const { left, right, test, operator = "", argument, callee, value } = node;
    switch (node.type) {
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
        replace(test!, "true");
        replace(test!, "false");
        break;
      case "Literal":
        if (typeof value === "boolean") replace(node, String(!value));
        if (typeof value === "number") replace(node, String(value + 1));
        if (typeof value === "string" && value !== "") replace(node, '""');
        break;
      case "ArrayExpression":
        if (node.elements!.length > 0) replace(node, "[]");
        break;
      case "CallExpression": {
        if (callee!.type !== "MemberExpression") break;
        const { object, property } = callee!;
        const method = METHODS[property!.name ?? ""];
        if (method) replace(property!, method);
        if (property!.name === "filter") replace(node, text(object!));
        break;
      }
      case "ExpressionStatement":
        if (/Await|Call/.test(node.expression!.type)) replace(node, ";");
        break;
    }
  }

  function walk(node: Node) {
    if (node.type === "ImportDeclaration") return;
    if (node.type.startsWith("TS") && !TRANSPARENT.has(node.type)) return;
    mutate(node);
    for (const [field, child] of Object.entries(node)) {
      // The name of a property that is no value, and what is exported from elsewhere.
      if (TYPES.has(field) || field === "key" || field === "source") continue;
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) walk(each);
    }
  }

  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  walk(program as unknown as Node);
  return mutants.toSorted((one, other) => one.start - other.start);
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
