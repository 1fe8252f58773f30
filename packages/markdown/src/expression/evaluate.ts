import { callMethod, hasMethod } from "./library.js";
import { type Expression, ExpressionError, fail } from "./nodes.js";
import { operate } from "./operators.js";
import { parseExpression } from "./parse.js";
import { type Budget, type Callback, isPrimitive, spend, textOf, type Value } from "./values.js";

/** What expressions can read; names beside these are unknown. */
export interface Inputs {
  space: { vars: Record<string, unknown> };
  page: { vars: Record<string, unknown> };
  visitor: { claims: Record<string, unknown> };
}

export type Outcome = { value: unknown; error?: undefined } | { error: string };

/** The work that one expression may do. */
const STEPS = 10_000;
/** Calls and values in each other. */
const DEEPEST = 400;

/**
 * The value of an expression, by an interpreter of its own: nothing of JavaScript is reachable but what is named here.
 * Never throws, and ends after a bounded number of steps, which it also takes off `budget` when several expressions
 * share one.
 */
export function evaluate(source: string, inputs: Inputs, budget?: Budget): Outcome {
  const own = { steps: Math.min(STEPS, budget?.steps ?? STEPS) };
  const given = own.steps;
  try {
    return { value: valueIn(parseExpression(source), { names: inputs as never, budget: own, depth: 0 }) };
  } catch (error) {
    // Besides its own errors only the stack's end can be met here, and that is one more way of being too deep.
    return { error: error instanceof ExpressionError ? error.message : "nested too deeply" };
  } finally {
    if (budget) budget.steps -= given - Math.max(0, own.steps);
  }
}

/** Whether a condition is met: without one it is, and one that fails is not. */
export function isMet(condition: string, inputs: Inputs, budget?: Budget): boolean {
  if (condition.trim() === "") return true;
  const outcome = evaluate(condition, inputs, budget);
  return outcome.error === undefined && Boolean(outcome.value);
}

/** The text that an expression in a line stands for: empty when it fails, or comes to nothing or to an object. */
export function formatted(source: string, inputs: Inputs, budget?: Budget): string {
  const outcome = evaluate(source, inputs, budget);
  return outcome.error === undefined && isPrimitive(outcome.value) ? textOf(outcome.value ?? "") : "";
}

/** What is wrong with the form of an expression; undefined when nothing is. */
export function problemOf(source: string): string | undefined {
  try {
    parseExpression(source);
    return undefined;
  } catch (error) {
    return error instanceof ExpressionError ? error.message : "nested too deeply";
  }
}

/** Whether an expression comes to the same for every visitor. */
export function isDeterministic(source: string): boolean {
  try {
    return !namesIn(parseExpression(source)).has("visitor");
  } catch {
    return true;
  }
}

/** All names that are read anywhere in an expression. */
function namesIn(expression: Expression): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const { type, name } = next as { type?: unknown; name?: unknown };
    if (type === "name") names.add(String(name));
    open.push(...Object.values(next));
  }
  return names;
}

interface Scope {
  names: Record<string, Value>;
  budget: Budget;
  depth: number;
}

/** Where `?.` found nothing: all behind it in the chain is passed over. */
const NOTHING = Symbol("nothing");

function valueIn(expression: Expression, scope: Scope): Value {
  const value = visit(expression, scope);
  return value === NOTHING ? undefined : value;
}

function visit(expression: Expression, outer: Scope): Value | typeof NOTHING {
  spend(outer.budget, 1);
  if (outer.depth >= DEEPEST) fail("nested too deeply");
  const scope = { ...outer, depth: outer.depth + 1 };
  switch (expression.type) {
    case "literal":
      return expression.value;
    case "name":
      return Object.hasOwn(scope.names, expression.name)
        ? scope.names[expression.name]
        : fail(`${expression.name} is not known`);
    case "template":
      return template(expression, scope);
    case "array":
      return expression.items.map((item) => valueIn(item, scope));
    case "object":
      return object(expression, scope);
    case "member":
      return member(expression, scope);
    case "call":
      return call(expression, scope);
    case "chain":
      return valueIn(expression.inner, scope);
    case "unary":
      return unary(expression, scope);
    case "binary":
      return binary(expression, scope);
    case "conditional":
      return valueIn(valueIn(expression.test, scope) ? expression.then : expression.otherwise, scope);
    case "arrow":
      return lambda(expression, scope);
  }
}

type Of<Type extends Expression["type"]> = Extract<Expression, { type: Type }>;

function template({ texts, values }: Of<"template">, scope: Scope): string {
  let text = texts[0]!;
  for (const [index, value] of values.entries()) {
    text += textOf(valueIn(value, scope)) + texts[index + 1]!;
    spend(scope.budget, text.length / 100);
  }
  return text;
}

function object({ entries }: Of<"object">, scope: Scope): Value {
  const made = Object.create(null) as Record<string, Value>;
  for (const { key, value } of entries) made[textOf(valueIn(key, scope))] = valueIn(value, scope);
  return made;
}

function member({ object, property, optional }: Of<"member">, scope: Scope) {
  const holder = visit(object, scope);
  if (holder === NOTHING || (optional && (holder === undefined || holder === null))) return NOTHING;
  const name = textOf(valueIn(property, scope));
  if (holder === undefined || holder === null) fail(`${name} of nothing`);
  return propertyOf(holder, name);
}

/** Only what a value has of its own: the prototypes of JavaScript are out of reach. */
function propertyOf(holder: Value, name: string): Value {
  if (typeof holder === "string" || Array.isArray(holder)) {
    if (name === "length") return holder.length;
    return /^\d{1,9}$/.test(name) ? holder[Number(name)] : undefined;
  }
  if (typeof holder !== "object" || holder === null) return undefined;
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function call({ callee, args, optional }: Of<"call">, scope: Scope) {
  if (callee.type === "member") {
    const holder = visit(callee.object, scope);
    const absent = holder === undefined || holder === null;
    if (holder === NOTHING || (callee.optional && absent)) return NOTHING;
    const name = textOf(valueIn(callee.property, scope));
    if (absent) fail(`${name} of nothing`);
    if (hasMethod(holder, name)) return callMethod(holder, name, argumentsOf(args, scope), scope);
    return invoke(propertyOf(holder, name), args, optional, scope);
  }
  const called = visit(callee, scope);
  return called === NOTHING ? NOTHING : invoke(called, args, optional, scope);
}

const argumentsOf = (args: Expression[], scope: Scope): Value[] => args.map((one) => valueIn(one, scope));

function invoke(called: Value, args: Expression[], optional: boolean, scope: Scope) {
  if (optional && (called === undefined || called === null)) return NOTHING;
  if (typeof called !== "function") return fail("what is called is no function");
  return called(argumentsOf(args, scope), scope.depth);
}

/** A function that sees the names around it; `depth` is its caller's, so that calls of itself end. */
function lambda({ parameters, body }: Of<"arrow">, { names, budget, depth }: Scope): Callback {
  return (args, from = depth) => {
    const own = Object.assign(Object.create(null), names) as Record<string, Value>;
    for (const [index, name] of parameters.entries()) own[name] = args[index];
    return valueIn(body, { names: own, budget, depth: from });
  };
}

function unary({ operator, operand }: Of<"unary">, scope: Scope): Value {
  const value = valueIn(operand, scope);
  if (operator === "!") return !value;
  if (!isPrimitive(value)) return fail(`${operator} needs a number`);
  return operator === "-" ? -Number(value) : Number(value);
}

function binary({ operator, left, right }: Of<"binary">, scope: Scope): Value {
  const first = valueIn(left, scope);
  if (operator === "&&") return first ? valueIn(right, scope) : first;
  if (operator === "||") return first || valueIn(right, scope);
  if (operator === "??") return first ?? valueIn(right, scope);
  return operate(operator, first, valueIn(right, scope), scope.budget);
}
