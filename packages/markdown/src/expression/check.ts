import { METHODS } from "./library.js";
import { type Expression, ExpressionError } from "./nodes.js";
import { parseExpression } from "./parse.js";

/** What a condition can read, by name, and what stands behind each name. */
const SUBJECTS = { visitor: "claims", space: "vars", page: "vars" } as const;
export type Subject = keyof typeof SUBJECTS;
const ALL = Object.keys(SUBJECTS) as Subject[];

/** Names that are parameters of the functions around an expression. */
type Parameters = ReadonlySet<string>;

/**
 * What is wrong with a condition that somebody saves, or undefined: its form, its length (1,024 characters), its depth,
 * names that none of `subjects` is, and functions that are not in the library. Without words it is always met, and right.
 */
export function conditionProblem(source: string, subjects: readonly Subject[] = ALL): string | undefined {
  if (source.trim() === "") return undefined;
  try {
    return unknownIn(parseExpression(source), subjects);
  } catch (error) {
    return error instanceof ExpressionError ? error.message : "nested too deeply";
  }
}

/**
 * The claims that an expression reads, each as its path: `visitor.claims.plan.tier` is `["plan", "tier"]`. A path ends
 * before the first part that is computed; what cannot be parsed reads none.
 */
export function claimsIn(source: string): string[][] {
  const found: string[][] = [];
  try {
    walk(parseExpression(source), (node, parameters) => {
      const path = pathOf(node, parameters);
      if (path?.[0] !== "visitor" || path[1] !== "claims") return true;
      found.push(path.slice(2));
      return false;
    });
  } catch {
    return [];
  }
  return found;
}

function unknownIn(root: Expression, subjects: readonly Subject[]): string | undefined {
  let problem: string | undefined;
  walk(root, (node, parameters) => {
    problem ??= unknownAt(node, parameters, subjects);
    return problem === undefined;
  });
  return problem;
}

function unknownAt(node: Expression, parameters: Parameters, subjects: readonly Subject[]) {
  const isSubject = (name: string): name is Subject =>
    !parameters.has(name) && (subjects as readonly string[]).includes(name);
  if (node.type === "name")
    return parameters.has(node.name) || isSubject(node.name) ? undefined : `${node.name} is not known`;
  if (node.type === "call") return unknownFunction(node.callee, parameters);
  if (node.type !== "member" || node.object.type !== "name" || node.property.type !== "literal")
    return undefined;
  const { name } = node.object;
  const known = !isSubject(name) || node.property.value === SUBJECTS[name];
  return known ? undefined : `${name}.${node.property.value} is not known`;
}

/** Only what an expression makes itself can be called besides the library: parameters, and parts of its own objects. */
function unknownFunction(callee: Expression, parameters: Parameters): string | undefined {
  if (callee.type === "name")
    return parameters.has(callee.name) ? undefined : `the function ${callee.name} is not known`;
  if (callee.type !== "member" || callee.property.type !== "literal" || callee.object.type === "object")
    return undefined;
  const name = String(callee.property.value);
  return METHODS.has(name) ? undefined : `the function ${name} is not known`;
}

/** The names along members of a name, up to the first that is computed; undefined for anything else. */
function pathOf(node: Expression, parameters: Parameters): string[] | undefined {
  const names: string[] = [];
  for (let at = node; ; ) {
    if (at.type === "name") return parameters.has(at.name) ? undefined : [at.name, ...names];
    if (at.type === "chain") at = at.inner;
    else if (at.type !== "member") return undefined;
    else {
      if (at.property.type === "literal") names.unshift(String(at.property.value));
      else names.length = 0;
      at = at.object;
    }
  }
}

/** Visits an expression and what is in it, from the left; `visitor` says whether to go on inside. */
function walk(root: Expression, visit: (node: Expression, parameters: Parameters) => boolean): void {
  const open: { node: Expression; parameters: Parameters }[] = [{ node: root, parameters: new Set() }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parameters } = next;
    if (!visit(node, parameters)) {
      // Parts of a path that are computed have names of their own.
      open.push(...computedIn(node).map((inner) => ({ node: inner, parameters })));
      continue;
    }
    const within = node.type === "arrow" ? new Set([...parameters, ...node.parameters]) : parameters;
    for (const inner of partsOf(node).reverse()) open.push({ node: inner, parameters: within });
  }
}

function computedIn(node: Expression): Expression[] {
  const computed: Expression[] = [];
  for (let at = node; ; ) {
    if (at.type === "chain") at = at.inner;
    else if (at.type === "member") {
      if (at.property.type !== "literal") computed.push(at.property);
      at = at.object;
    } else return computed;
  }
}

function partsOf(node: Expression): Expression[] {
  switch (node.type) {
    case "literal":
    case "name":
      return [];
    case "template":
      return [...node.values];
    case "array":
      return [...node.items];
    case "object":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "member":
      return [node.object, node.property];
    case "call":
      return [node.callee, ...node.args];
    case "chain":
      return [node.inner];
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.test, node.then, node.otherwise];
    case "arrow":
      return [node.body];
  }
}
