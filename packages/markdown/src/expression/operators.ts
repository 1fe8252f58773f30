import { fail, type Primitive } from "./nodes.js";
import { type Budget, isPrimitive, spend, textOf, type Value } from "./values.js";

/** Two values by an operator that looks at both, as JavaScript does it; lists and objects are only compared as such. */
export function operate(operator: string, left: Value, right: Value, budget: Budget): Value {
  if (operator === "===") return left === right;
  if (operator === "!==") return left !== right;
  if (operator === "==") return equal(left, right);
  if (operator === "!=") return !equal(left, right);
  if (operator === "in") return isIn(left, right);
  if (!isPrimitive(left) || !isPrimitive(right)) return fail(`${operator} needs numbers or texts`);
  return operator === "+" ? sum(left, right, budget) : compute(operator, left, right);
}

/** Without the texts that JavaScript makes of lists and objects to compare them. */
function equal(left: Value, right: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: what the author of the expression wrote
  return isPrimitive(left) && isPrimitive(right) ? left == right : left === right;
}

function isIn(left: Value, right: Value): boolean {
  if (isPrimitive(right) || typeof right === "function") return fail("in needs a list or an object");
  return Object.hasOwn(right, textOf(left));
}

function sum(left: Primitive, right: Primitive, budget: Budget): Value {
  if (typeof left !== "string" && typeof right !== "string") return Number(left) + Number(right);
  const text = String(left) + String(right);
  spend(budget, text.length / 100);
  return text;
}

function compute(operator: string, left: Primitive, right: Primitive): Value {
  if (/^[<>]/.test(operator)) {
    const [one, two] =
      typeof left === "string" && typeof right === "string" ? [left, right] : [Number(left), Number(right)];
    if (operator === "<") return one < two;
    if (operator === "<=") return one <= two;
    return operator === ">" ? one > two : one >= two;
  }
  const [one, two] = [Number(left), Number(right)];
  if (operator === "-") return one - two;
  if (operator === "*") return one * two;
  if (operator === "/") return one / two;
  return operator === "%" ? one % two : one ** two;
}
