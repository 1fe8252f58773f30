import { parseSync } from "vite";

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

interface Comment {
  value: string;
  end: number;
}

/** Endings of names that say in what a number is measured. */
const UNIT = /^(?:ms|bytes)$|(?:Ms|S|Seconds|Minutes|Hours|Days|Bytes|Characters)$/;

/** Names of numbers that count things or point to one, which have no unit. */
const COUNT =
  /^(?:limit|count|most|least|at|index|offset|position|depth|status|port|seq|number|from|to|start|end|close|line|length|ordinal|steps|hops|version|total|attempts?|level|epoch|code|n|before|after|step|first|last)$/;

/** Words of a docstring that say in what a number is measured, or what it counts. */
const SAID =
  /\b(?:ms|milliseconds?|seconds?|minutes?|hours?|days?|bytes|[kKM]i?B|characters|letters|how many|so many|number of|at most|index|whole number|sequence numbers?|times|rows|pages|points|percent|pixels|px)\b/i;

/**
 * Finds parameters of exported functions that are plain numbers of which neither their name nor the docstring says what
 * they measure or count, as `line: problem`.
 */
export function unitProblems(file: string, source: string): string[] {
  const { program, comments } = parseSync(file, source);
  const docs = new Map((comments as Comment[]).map((comment) => [comment.end, comment.value]));
  return (program.body as unknown as Node[]).flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || !statement.declaration) return [];
    const doc = docs.get(source.slice(0, statement.start).trimEnd().length) ?? "";
    if (SAID.test(doc)) return [];
    const line = source.slice(0, statement.start).split("\n").length;
    return functionsOf(statement.declaration as Node).flatMap(({ name, params }) => {
      const unclear = params.flatMap(numbersIn).filter((one) => !UNIT.test(one) && !COUNT.test(one));
      return unclear.length > 0 ? [`${line}: ${name} does not say what ${unclear.join(", ")} measures`] : [];
    });
  });
}

interface Declared {
  name: string;
  params: Node[];
}

function functionsOf(node: Node): Declared[] {
  const nameOf = (id: unknown) => (id as { name?: string } | null)?.name ?? "";
  if (node.type === "FunctionDeclaration" || node.type === "TSDeclareFunction")
    return [{ name: nameOf(node.id), params: node.params as Node[] }];
  if (node.type !== "VariableDeclaration") return [];
  return (node.declarations as Node[]).flatMap(({ id, init }) =>
    (init as Node | null)?.type === "ArrowFunctionExpression"
      ? [{ name: nameOf(id), params: (init as Node).params as Node[] }]
      : [],
  );
}

/** The names of a parameter, or of the members of one whose type is written out, that are plain numbers. */
function numbersIn(param: Node): string[] {
  if (param.type === "AssignmentPattern") {
    const { left, right } = param as unknown as { left: Node; right: Node };
    const isNumber = right.type === "Literal" && typeof right.value === "number";
    return left.typeAnnotation || !isNumber ? numbersIn(left) : [left.name as string];
  }
  const type = (param.typeAnnotation as { typeAnnotation?: Node } | undefined)?.typeAnnotation;
  if (type?.type === "TSNumberKeyword") return typeof param.name === "string" ? [param.name] : [];
  if (type?.type !== "TSTypeLiteral") return [];
  return (type.members as Node[]).flatMap(({ type, key, typeAnnotation }) => {
    const isNumber =
      type === "TSPropertySignature" &&
      (typeAnnotation as { typeAnnotation: Node } | undefined)?.typeAnnotation.type === "TSNumberKeyword";
    return isNumber ? [(key as { name: string }).name] : [];
  });
}
