import { STATUS } from "@octavo/shared/errors";
import { parseSync } from "vite";

/** What guards and loaders refuse with, for an action that takes more than to see the thing. */
const LOADERS: Record<string, number[]> = {
  // The guards of each service.
  allow: [403, 404],
  allowIn: [403, 404],
  refuseBelow: [403],
  userOf: [403],
  // orgs
  requireRole: [403, 404],
  requireRoleLocked: [403, 404],
  requireStoredRole: [403],
  requireMember: [404],
  requireUnboundToken: [401, 403],
  // content
  loadSpace: [404],
  loadCollection: [404],
  lockSpace: [403, 404],
  lockSpaceIfAny: [403],
  lockSpaceInOrder: [403, 404, 409],
  lockCollection: [403, 404],
  lockCollectionInOrder: [403, 404, 409],
  lockCollectionTree: [403, 404, 409],
  resolveTarget: [404],
  readTarget: [404],
  readCached: [404],
  lockTarget: [403, 404],
  // sites
  loadSite: [403, 404],
  lockSite: [403, 404],
  lockSiteIfAny: [403, 404],
  requireDecision: [403],
  // integrations
  loadPublic: [404],
  loadVisible: [404],
  loadAdministered: [403, 404],
};

/** Actions that take no more than to see a thing: whoever may not gets 404. */
const SEES = /^(organization|space|collection|comment|installation|openAPISpec|team)\.(view|access)$/;

/** What undoes something has nothing to say where there is nothing: 404 is not among what it refuses with. */
const REMOVES = /^(remove|revoke|uninstall|disable|unpublish|end|leave)/;

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  value?: unknown;
  callee?: Node;
  property?: Node;
  key?: Node;
  id?: Node | null;
  init?: Node | null;
  declaration?: Node | null;
  declarations?: Node[];
  arguments?: Node[];
  properties?: Node[];
}
interface Comment {
  type: string;
  value: string;
  end: number;
}

/**
 * Finds the functions that a source exports whose docstring leaves out a status that they refuse with, as `line: problem`:
 * by a refusal of their own, of a function beside them, or of a guard or loader that they call. `Refuses like …` stands
 * for the statuses of another function.
 */
export function refusalProblems(file: string, source: string): string[] {
  const { program, comments } = parseSync(file, source);
  const docs = new Map((comments as Comment[]).map((comment) => [comment.end, comment.value]));
  const functions = new Map<string, Node>();
  for (const statement of program.body as unknown as Node[])
    for (const [name, node] of functionsIn(statement)) functions.set(name, node);
  return (program.body as unknown as Node[]).flatMap((statement) => {
    if (!/^Export(Named|Default)Declaration$/.test(statement.type)) return [];
    const before = source.slice(0, statement.start).trimEnd().length;
    const doc = docs.get(before)?.replace(/\s*\n\s*\*\s*/g, " ");
    if (doc === undefined || /\brefuses like `/i.test(doc)) return [];
    return functionsIn(statement).flatMap(([name, node]) => {
      const missing = [...statusesOf(node, functions)]
        .filter((status) => !(status === 404 && REMOVES.test(name)))
        .filter((status) => !new RegExp(`\\b${status}\\b`).test(doc));
      const line = source.slice(0, statement.start).split("\n").length;
      return missing.length > 0
        ? [`${line}: ${name} has a docstring that does not name ${missing.sort().join(", ")}`]
        : [];
    });
  });
}

/** The functions that a statement declares, by name. */
function functionsIn(statement: Node): [string, Node][] {
  const declared = statement.declaration ?? statement;
  if (declared.type === "FunctionDeclaration") return [[declared.id?.name ?? "default", declared]];
  if (declared.type !== "VariableDeclaration") return [];
  return declared.declarations!.flatMap(({ id, init }): [string, Node][] =>
    id?.name && init && /Function/.test(init.type) ? [[id.name, init]] : [],
  );
}

function statusesOf(fn: Node, functions: Map<string, Node>, known = new Set<Node>()): Set<number> {
  const statuses = new Set<number>();
  if (known.has(fn)) return statuses;
  known.add(fn);
  walk(fn, (node) => {
    if (node.type !== "CallExpression") return;
    for (const status of refusedBy(node)) statuses.add(status);
    // A function that is handed on, such as `catch(refuseTaken)`, is called too.
    for (const { type, name } of [node.callee!, ...node.arguments!]) {
      const own = type === "Identifier" && functions.get(name!);
      if (own) for (const status of statusesOf(own, functions, known)) statuses.add(status);
    }
  });
  return statuses;
}

/** What a call refuses with. */
function refusedBy({ callee, arguments: given = [] }: Node): number[] {
  const name = callee?.name;
  if (name === "found") return [404];
  if (name === "refuseAt") return [400];
  if (name === "refuse") return codesIn(given[0]);
  if (name === "refuseAll") {
    const code = given[1]?.properties?.find(({ key }) => key?.name === "code");
    return code ? codesIn(code) : [400];
  }
  const statuses = (name && Object.hasOwn(LOADERS, name) && LOADERS[name]) || [];
  const actions = given.flatMap(literalsIn).filter((literal) => /^\w+\.\w+$/.test(literal));
  const sees = actions.length > 0 && actions.every((action) => SEES.test(action));
  return sees ? statuses.filter((status) => status !== 403) : statuses;
}

const codesIn = (node: Node | undefined): number[] =>
  node
    ? literalsIn(node).flatMap((code) =>
        Object.hasOwn(STATUS, code) ? STATUS[code as keyof typeof STATUS] : [],
      )
    : [];

function literalsIn(node: Node): string[] {
  const found: string[] = [];
  walk(node, ({ type, value }) => {
    if (type === "Literal" && typeof value === "string") found.push(value);
  });
  return found;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of Object.values(node).flat())
    if (typeof child === "object" && child !== null && "type" in child) walk(child as Node, visit);
}

const PLACES =
  /^services\/[^/]+\/src\/((.+\/)?(rules|access|load(-[\w-]+)?)\.ts$|(.+\/)?(rules|access)\/[\w-]+\.ts$)/;

/** Whether the functions of a file name what they refuse with: rules, and what they load and guard things by. */
export const needsRefusals = (file: string): boolean =>
  PLACES.test(file) && !/\.test\.ts$|testing/.test(file);
