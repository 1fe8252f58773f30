import type { ParserPlugin } from "@babel/parser";
import type { Expression, File, Node, ObjectProperty, SpreadElement, Statement } from "@babel/types";

/** Characters of a settings file that is read. */
const LONGEST = 256 * 1024;
/** Nodes that are looked at, and levels of them: names may lead to each other. */
const MOST = 50_000;
const DEEPEST = 60;
const PLUGINS: ParserPlugin[] = ["typescript"];

interface Scope {
  names: Map<string, Node>;
  left: { nodes: number };
}

/**
 * The data that a module of JavaScript or TypeScript exports, as far as it is written down as such: objects, lists and
 * texts, also by the name of a constant, in a function that returns nothing else, or as what a function such as
 * `defineConfig` is called with. Nothing of the module is run. Undefined when it cannot be parsed, or is too long.
 */
export async function literalIn(source: string): Promise<unknown> {
  if (source.length > LONGEST) return undefined;
  // Loaded with the first settings: few imports have any.
  const { parse } = await import("@babel/parser");
  let file: File;
  try {
    file = parse(source, { sourceType: "unambiguous", plugins: PLUGINS, errorRecovery: true });
  } catch {
    return undefined;
  }
  const names = new Map<string, Node>();
  let exported: Node | undefined;
  for (const statement of file.program.body) {
    for (const [name, value] of declaredIn(statement)) names.set(name, value);
    exported = exportedBy(statement) ?? exported;
  }
  return exported && readValue(exported, { names, left: { nodes: MOST } }, 0);
}

function* declaredIn(statement: Statement): Generator<[string, Node]> {
  const declared =
    statement.type === "ExportNamedDeclaration" && statement.declaration ? statement.declaration : statement;
  if (declared.type === "FunctionDeclaration" && declared.id) yield [declared.id.name, declared];
  if (declared.type !== "VariableDeclaration") return;
  for (const { id, init } of declared.declarations)
    if (id.type === "Identifier" && init) yield [id.name, init];
}

function exportedBy(statement: Statement): Node | undefined {
  if (statement.type === "ExportDefaultDeclaration") return statement.declaration;
  if (statement.type === "TSExportAssignment") return statement.expression;
  if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression")
    return undefined;
  const { left, right } = statement.expression;
  const isModule =
    left.type === "MemberExpression" &&
    left.object.type === "Identifier" &&
    left.object.name === "module" &&
    left.property.type === "Identifier" &&
    left.property.name === "exports";
  return isModule ? right : undefined;
}

function readValue(node: Node, scope: Scope, depth: number): unknown {
  scope.left.nodes -= 1;
  if (scope.left.nodes < 0 || depth > DEEPEST) return undefined;
  const inner = (one: Node) => readValue(one, scope, depth + 1);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return node.expressions.length === 0
        ? node.quasis.map(({ value }) => value.cooked ?? "").join("")
        : undefined;
    case "ArrayExpression":
      return node.elements.flatMap((element) => {
        if (!element) return [];
        if (element.type !== "SpreadElement") return [inner(element)];
        const spread = inner(element.argument);
        return Array.isArray(spread) ? spread : [];
      });
    case "ObjectExpression":
      return Object.fromEntries(node.properties.flatMap((property) => entriesOf(property as never, inner)));
    case "Identifier": {
      const definition = scope.names.get(node.name);
      return definition && inner(definition);
    }
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
      return inner(node.expression);
    case "FunctionDeclaration":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return returnedBy(node.body, inner);
    case "CallExpression":
      return calledWith(node, scope, inner);
    default:
      return undefined;
  }
}

function entriesOf(
  property: ObjectProperty | SpreadElement,
  inner: (node: Node) => unknown,
): [string, unknown][] {
  if (property.type === "SpreadElement") {
    const spread = inner(property.argument);
    return typeof spread === "object" && spread !== null ? Object.entries(spread) : [];
  }
  if (property.type !== "ObjectProperty" || property.computed) return [];
  const { key, value } = property;
  const name =
    key.type === "Identifier"
      ? key.name
      : key.type === "StringLiteral" || key.type === "NumericLiteral"
        ? String(key.value)
        : undefined;
  return name === undefined || name === "__proto__" ? [] : [[name, inner(value)]];
}

function returnedBy(body: Node, inner: (node: Node) => unknown): unknown {
  if (body.type !== "BlockStatement") return inner(body);
  const last = body.body.at(-1);
  return last?.type === "ReturnStatement" && last.argument ? inner(last.argument) : undefined;
}

/** What a function of the module returns; of any other one, what it is called with: `defineConfig({ … })`. */
function calledWith(
  { callee, arguments: given }: { callee: Node; arguments: Node[] },
  { names }: Scope,
  inner: (node: Node) => unknown,
): unknown {
  const own = callee.type === "Identifier" ? names.get(callee.name) : undefined;
  if (own) return inner(own);
  const [first] = given as Expression[];
  return first && inner(first);
}
