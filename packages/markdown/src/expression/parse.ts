import { type Expression, fail } from "./nodes.js";
import { readString, readTemplateText } from "./strings.js";

/** Longer expressions are refused unread. */
export const LONGEST = 1024;
/** Brackets, arrows and operators in each other. */
const DEEPEST = 100;

/** Where the reading of a source has come to. */
export interface Cursor {
  source: string;
  at: number;
  depth: number;
}

/** How tightly the operators between two values bind; `**` binds to the right. */
const BINARY: Record<string, number> = {
  "??": 1,
  "||": 2,
  "&&": 3,
  "==": 4,
  "!=": 4,
  "===": 4,
  "!==": 4,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  in: 5,
  "+": 6,
  "-": 6,
  "*": 7,
  "/": 7,
  "%": 7,
  "**": 8,
};
const OPERATOR = /===|!==|==|!=|<=|>=|&&|\|\||\?\?|\*\*|[<>+\-*/%]|in(?![\p{L}\p{N}_$])/uy;
/** What JavaScript goes on with and this subset has not: assignments, shifts, increments, bits. */
const FOREIGN = /=>|<<|>>|\+\+|--|[&|^](?![&|])|(?:\*\*|\?\?|&&|\|\||[+\-*/%])=(?!=)|=(?!=)/y;
const SPACE = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_$])/uy;
const RESERVED = new Set(
  (
    "async await break case catch class const continue debugger default delete do else export extends finally for " +
    "function if import instanceof let new return super switch this throw try typeof var void while with yield"
  ).split(" "),
);
const LITERALS = new Map<string, boolean | null | undefined>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
]);

/** Reads an expression of the subset of JavaScript that conditions and texts are written in. Throws ExpressionError. */
export function parseExpression(source: string): Expression {
  if (source.length > LONGEST) fail(`longer than ${LONGEST} characters`);
  const cursor: Cursor = { source, at: 0, depth: 0 };
  skip(cursor);
  if (source[cursor.at] === "{") fail("a statement, not an expression");
  const first = expression(cursor);
  // Further statements count for nothing, but they have to be expressions as well.
  while (take(cursor, ";")) if (!ended(cursor)) expression(cursor);
  if (!ended(cursor)) fail(`unexpected "${source.slice(cursor.at, cursor.at + 10)}"`);
  return first;
}

const ended = (cursor: Cursor): boolean => {
  skip(cursor);
  return cursor.at >= cursor.source.length;
};

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.source)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

const skip = (cursor: Cursor): void => void match(cursor, SPACE);

function take(cursor: Cursor, mark: string): boolean {
  skip(cursor);
  const here = cursor.source.startsWith(mark, cursor.at);
  if (here) cursor.at += mark.length;
  return here;
}

function expect(cursor: Cursor, mark: string): void {
  if (!take(cursor, mark)) fail(`"${mark}" is missing at ${cursor.at + 1}`);
}

/** A value with `? :`, or an arrow function. */
export function expression(cursor: Cursor): Expression {
  cursor.depth += 1;
  if (cursor.depth > DEEPEST) fail("nested too deeply");
  const read = arrow(cursor) ?? conditional(cursor);
  cursor.depth -= 1;
  return read;
}

function conditional(cursor: Cursor): Expression {
  const test = binary(cursor, 0);
  if (!take(cursor, "?")) return test;
  const then = expression(cursor);
  expect(cursor, ":");
  return { type: "conditional", test, then, otherwise: expression(cursor) };
}

const ARROW = /(?:\(\s*([\p{L}\p{N}_$,\s]*)\)|([\p{L}_$][\p{L}\p{N}_$]*))\s*=>/uy;

function arrow(cursor: Cursor): Expression | undefined {
  skip(cursor);
  ARROW.lastIndex = cursor.at;
  const head = ARROW.exec(cursor.source);
  if (!head) return undefined;
  const parameters = (head[2] ?? head[1]!).split(",").map((name) => name.trim());
  if (parameters.at(-1) === "") parameters.pop();
  for (const name of parameters)
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) || RESERVED.has(name) || LITERALS.has(name))
      fail(`"${name}" is no parameter`);
  cursor.at += head[0].length;
  skip(cursor);
  if (cursor.source[cursor.at] === "{") fail("a function with statements");
  return { type: "arrow", parameters, body: expression(cursor) };
}

/** Operators that bind at least as tightly as `least`. */
function binary(cursor: Cursor, least: number): Expression {
  let left = unary(cursor);
  for (;;) {
    skip(cursor);
    const { at } = cursor;
    FOREIGN.lastIndex = at;
    if (FOREIGN.test(cursor.source)) fail(`unexpected "${cursor.source.slice(at, at + 2)}"`);
    const operator = match(cursor, OPERATOR);
    const strength = operator === undefined ? -1 : BINARY[operator]!;
    if (operator === undefined || strength < least) {
      cursor.at = at;
      return left;
    }
    const right = binary(cursor, operator === "**" ? strength : strength + 1);
    left = { type: "binary", operator, left, right };
  }
}

function unary(cursor: Cursor): Expression {
  skip(cursor);
  const operator = match(cursor, /!|\+(?!\+)|-(?!-)/y);
  if (operator === undefined) return postfix(cursor);
  cursor.depth += 1;
  if (cursor.depth > DEEPEST) fail("nested too deeply");
  const operand = unary(cursor);
  cursor.depth -= 1;
  return { type: "unary", operator, operand };
}

function postfix(cursor: Cursor): Expression {
  let value = primary(cursor);
  let chained = false;
  for (;;) {
    skip(cursor);
    const optional = match(cursor, /\?\.(?!\d)/y) !== undefined;
    chained ||= optional;
    if (take(cursor, "(")) {
      value = { type: "call", callee: value, args: list(cursor, ")"), optional };
    } else if (take(cursor, "[")) {
      value = { type: "member", object: value, property: expression(cursor), optional };
      expect(cursor, "]");
    } else if (optional || take(cursor, ".")) {
      skip(cursor);
      const name = match(cursor, NAME) ?? fail(`a name is missing at ${cursor.at + 1}`);
      value = { type: "member", object: value, property: { type: "literal", value: name }, optional };
    } else return chained ? { type: "chain", inner: value } : value;
  }
}

function list(cursor: Cursor, end: string): Expression[] {
  const items: Expression[] = [];
  while (!take(cursor, end)) {
    items.push(expression(cursor));
    if (take(cursor, ",")) continue;
    expect(cursor, end);
    break;
  }
  return items;
}

function primary(cursor: Cursor): Expression {
  skip(cursor);
  const mark = cursor.source[cursor.at];
  if (mark === '"' || mark === "'") return { type: "literal", value: readString(cursor) };
  if (take(cursor, "(")) {
    const inner = expression(cursor);
    expect(cursor, ")");
    return inner;
  }
  if (take(cursor, "[")) return { type: "array", items: list(cursor, "]") };
  if (take(cursor, "{")) return object(cursor);
  if (take(cursor, "`")) return template(cursor);
  const number = match(cursor, NUMBER);
  if (number !== undefined) return { type: "literal", value: Number(number) };
  const name = match(cursor, NAME) ?? fail(`a value is missing at ${cursor.at + 1}`);
  if (LITERALS.has(name)) return { type: "literal", value: LITERALS.get(name) };
  return RESERVED.has(name) ? fail(`unexpected "${name}"`) : { type: "name", name };
}

function object(cursor: Cursor): Expression {
  const entries: { key: Expression; value: Expression }[] = [];
  while (!take(cursor, "}")) {
    entries.push(entry(cursor));
    if (take(cursor, ",")) continue;
    expect(cursor, "}");
    break;
  }
  return { type: "object", entries };
}

function entry(cursor: Cursor): { key: Expression; value: Expression } {
  skip(cursor);
  const mark = cursor.source[cursor.at];
  if (take(cursor, "[")) {
    const key = expression(cursor);
    expect(cursor, "]");
    expect(cursor, ":");
    return { key, value: expression(cursor) };
  }
  const quoted = mark === '"' || mark === "'";
  const name = quoted ? readString(cursor) : (match(cursor, NAME) ?? match(cursor, NUMBER));
  if (name === undefined) return fail(`a key is missing at ${cursor.at + 1}`);
  const key: Expression = { type: "literal", value: name };
  if (take(cursor, ":")) return { key, value: expression(cursor) };
  return quoted || RESERVED.has(name) ? fail('":" is missing') : { key, value: { type: "name", name } };
}

function template(cursor: Cursor): Expression {
  const texts = [readTemplateText(cursor)];
  const values: Expression[] = [];
  while (cursor.source[cursor.at - 1] !== "`") {
    values.push(expression(cursor));
    expect(cursor, "}");
    texts.push(readTemplateText(cursor));
  }
  return { type: "template", texts, values };
}
