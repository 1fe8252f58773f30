// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of expressions
import { expect, test } from "vitest";
import { seeded } from "../testing/random.js";
import { claimsIn, conditionProblem } from "./check.js";
import { evaluate, isMet, problemOf } from "./evaluate.js";

test.each([
  "",
  "  ",
  "true",
  "visitor.claims.beta",
  "visitor.claims['beta'] === true",
  "visitor.claims.unsigned?.plan == 'pro' && !space.vars.closed",
  "visitor.claims.plan.toLowerCase().startsWith('p')",
  "['a', 'b'].some(plan => plan == visitor.claims.plan)",
  "((a, b) => a && b)(visitor.claims.a, visitor.claims.b)",
  "({ is: (plan) => plan == 'pro' }).is(visitor.claims.plan)",
  "page.vars.level == `${visitor.claims.level}` ? true : 'x' in visitor.claims",
])("%s is a condition", (source) => {
  expect(conditionProblem(source)).toBeUndefined();
});

test.each([
  ["visitor.claims.", "a name is missing at 16"],
  ["a ==", "a value is missing at 5"],
  ["beta", "beta is not known"],
  ["claims.beta", "claims is not known"],
  ["visitor.unsigned.beta", "visitor.unsigned is not known"],
  ["space.title == 'x'", "space.title is not known"],
  ["(a => a)(1) && a", "a is not known"],
  ["Date.now() > 1", "the function now is not known"],
  ["fetch('https://example.com')", "the function fetch is not known"],
  ["visitor.claims.plan.matches('p')", "the function matches is not known"],
  ["visitor.claims.plan?.repeat(9)", "the function repeat is not known"],
  ["[1].reduce(x => x)", "the function reduce is not known"],
  ["new Date()", 'unexpected "new"'],
  ["visitor.claims.a = true", 'unexpected "= "'],
  [`'${"x".repeat(1023)}'`, "longer than 1024 characters"],
  ["(".repeat(300), "nested too deeply"],
  ["!".repeat(300), "nested too deeply"],
])("%s is no condition: %s", (source, problem) => {
  expect(conditionProblem(source)).toBe(problem);
});

test("a condition is checked against the names that it may read", () => {
  expect(conditionProblem("space.vars.beta", ["visitor"])).toBe("space is not known");
  expect(conditionProblem("visitor.claims.beta", ["visitor"])).toBeUndefined();
});

test.each<[string, string[][]]>([
  ["visitor.claims.plan.tier == 'x' && visitor.claims['beta']", [["plan", "tier"], ["beta"]]],
  ["visitor.claims?.unsigned?.lang", [["unsigned", "lang"]]],
  ["'plan' in visitor.claims", [[]]],
  ["visitor.claims[visitor.claims.key].deep", [[], ["key"]]],
  ["visitor.claims.tags.some(tag => tag == visitor.claims.tag)", [["tags", "some"], ["tag"]]],
  ["(visitor => visitor.claims.plan)({})", []],
  ["space.vars.plan", []],
  ["broken(", []],
])("%s reads %j", (source, paths) => {
  expect(claimsIn(source)).toEqual(paths);
});

const WORDS = (
  "visitor visitor.claims visitor.claims.a visitor.claims.b.c visitor.claims.unsigned.d ( ) [ ] { } => ? : , ; + - == === " +
  "!= < > && || ?? ! in ?. . a 1 'x' ` ${ at includes some map true null x=> __proto__ constructor"
).split(" ");
const VALUES = [true, false, "x", 0, 7, null, ["x", 1], { c: true }, { __proto__: null, c: "x" }];

test("over 4,000 random conditions and claims: none throws, all end within their steps, and twice the same comes out", () => {
  let right = 0;
  for (let seed = 0; seed < 4_000; seed += 1) {
    const random = seeded(seed);
    const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    const length = 1 + Math.floor(random() * 9);
    const source = Array.from({ length }, () => one(WORDS)).join(random() < 0.7 ? " " : "");
    const claims = { a: one(VALUES), b: one(VALUES), unsigned: { d: one(VALUES) } };
    const inputs = { visitor: { claims }, space: { vars: {} }, page: { vars: {} } };
    const before = JSON.stringify(claims);
    const budget = { steps: 10_000 };
    const met = isMet(source, inputs, budget);
    expect(budget.steps, source).toBeGreaterThanOrEqual(0);
    expect(isMet(source, inputs), source).toBe(met);
    expect(JSON.stringify(claims), source).toBe(before);
    const problem = conditionProblem(source);
    // What cannot be read lets nobody in, and is never saved.
    if (problemOf(source) !== undefined && source.trim() !== "")
      expect([met, problem], source).not.toContain(undefined);
    if (problem !== undefined) continue;
    right += 1;
    const { error = "" } = evaluate(source, inputs) as { error?: string };
    expect(error, source).not.toMatch(/is not known$/);
    expect(
      claimsIn(source).every((path) => Array.isArray(path)),
      source,
    ).toBe(true);
  }
  expect(right).toBeGreaterThan(100);
});
