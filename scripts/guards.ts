import { parseSync } from "vite";

/** What looks at roles: guards, what loads or locks for a caller, and comparisons with the ladder of roles. */
const GUARD =
  /^(allow|require|permits|refuse(Below|Above)|authorize|load|lock|find|admit|scopeOf|read(Scoped|Cached)|organizationsFor|atLeast|can$)/;
const ROLES = new Set(["read", "comment", "edit", "review", "create", "admin", "guest"]);

/** What holds a role or a level, by the last word of its name. */
const HOLDS_ROLE = /(role|level|membership|rank)s?(Of|In|On)?$|^(own|minimum)$/i;

interface Node {
  type: string;
  start: number;
  operator?: string;
  left?: Node;
  right?: Node;
  object?: Node;
  elements?: Node[];
  expression?: Node;
  value?: unknown;
  name?: string;
  callee?: Node;
  arguments?: Node[];
  property?: Node;
  quasis?: { value: { cooked: string } }[];
}

/** The guards in a TypeScript source that are called with a role instead of an action's name, as `line: what`. */
export function literalRolesIn(file: string, source: string): string[] {
  const problems: string[] = [];
  walk(parse(file, source), (node) => {
    if (node.type !== "CallExpression") return;
    const name = calleeOf(node);
    if (!name || !GUARD.test(name)) return;
    for (const { start, value } of (node.arguments ?? []).flatMap(valuesOf)) {
      if (typeof value !== "string" || !ROLES.has(value)) continue;
      const line = source.slice(0, start).split("\n").length;
      problems.push(`${line}: ${name} is given the role "${value}"; name an action of permissions.ts`);
    }
  });
  return problems;
}

/**
 * The comparisons of a role or a level with a role, as `line: what`: decisions outside of the table of permissions. Found
 * by the names of what is compared, with `===` and its kin, and by `includes` of lists.
 */
export function comparedRolesIn(file: string, source: string): string[] {
  const problems: string[] = [];
  const report = (node: Node, holder: string, role: unknown) => {
    const line = source.slice(0, node.start).split("\n").length;
    problems.push(`${line}: ${holder} is compared with the role "${role}"; name an action of permissions.ts`);
  };
  walk(parse(file, source), (node) => {
    if (node.type === "BinaryExpression" && /^[!=]==?$/.test(node.operator!)) {
      for (const [one, other] of [
        [node.left!, node.right!],
        [node.right!, node.left!],
      ] as const) {
        const holder = nameOf(one);
        if (holder && HOLDS_ROLE.test(holder) && isRole(other)) report(node, holder, bare(other).value);
      }
    }
    if (node.type !== "CallExpression" || calleeOf(node) !== "includes") return;
    const [list, item] = [node.callee!.object!, node.arguments![0]!].map(bare);
    const listed = list!.elements?.find(isRole);
    const holder = nameOf(listed ? item! : list!);
    if (holder && HOLDS_ROLE.test(holder) && isRole(listed ?? item!))
      report(node, holder, bare(listed ?? item!).value);
  });
  return problems;
}

const isRole = (node: Node) => {
  const { type, value } = bare(node);
  return type === "Literal" && typeof value === "string" && value !== "guest" && ROLES.has(value);
};

/** What stands within casts and parentheses. */
function bare(node: Node): Node {
  return /^(TS\w+|Parenthesized|Chain)Expression$/.test(node.type) ? bare(node.expression!) : node;
}

/** The last word by which an expression is named: of a variable, a property or the function called. */
function nameOf(expression: Node): string | undefined {
  const node = bare(expression);
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression") return node.property?.name;
  return node.type === "CallExpression" ? calleeOf(node) : undefined;
}

/** What the guards in a source are called with: literals, and templates with `*` for what is filled in. */
export function namesIn(file: string, source: string): Set<string> {
  const names = new Set<string>();
  walk(parse(file, source), (node) => {
    if (node.type !== "CallExpression" || !GUARD.test(calleeOf(node) ?? "")) return;
    for (const { value, quasis } of (node.arguments ?? []).flatMap(valuesOf)) {
      if (typeof value === "string") names.add(value);
      if (quasis) names.add(quasis.map((quasi) => quasi.value.cooked).join("*"));
    }
  });
  return names;
}

/** The actions of a table of permissions, which no call names: their flags would guard nothing. */
export function unguarded(actions: string[], names: Set<string>): string[] {
  const patterns = [...names].filter((name) => /^\*\.\w+$/.test(name)).map((name) => name.slice(1));
  return actions.filter(
    (action) => !names.has(action) && !patterns.some((pattern) => action.endsWith(pattern)),
  );
}

/** The names of the actions that stand in a source with tables of permissions, without what is only planned. */
export function actionsIn(source: string): string[] {
  const tables = source.replace(/export const PLANNED_\w+ = \{[^}]*\}/g, "");
  return [...tables.matchAll(/^ {2}"(\w+\.\w+)": "\w+",$/gm)].map(([, action]) => action!);
}

const parse = (file: string, source: string): Node => {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  return program as unknown as Node;
};

function calleeOf({ callee }: Node): string | undefined {
  return callee?.type === "MemberExpression" ? callee.property?.name : callee?.name;
}

/** What an argument may be: through conditions, casts and lists, but not into the calls and objects inside it. */
function valuesOf(node: Node): Node[] {
  if (/^(CallExpression|ObjectExpression|ArrowFunctionExpression|FunctionExpression)$/.test(node.type))
    return [];
  if (node.type === "Literal" || node.type === "TemplateLiteral") return [node];
  return childrenOf(node).flatMap(valuesOf);
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((child): child is Node => typeof child === "object" && child !== null && "type" in child);
