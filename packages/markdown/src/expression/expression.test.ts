// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of expressions
import { expect, test } from "vitest";
import { seeded } from "../testing/random.js";
import { evaluate, formatted, type Inputs, isDeterministic, isMet, problemOf } from "./evaluate.js";

const inputs: Inputs = {
  space: { vars: { product: "Octavo", version: 3, beta: true } },
  page: { vars: { level: "easy" } },
  visitor: {
    claims: { plan: "pro", tags: ["a", "bb", "ccc"], company: { name: "Acme" }, unsigned: { lang: "de" } },
  },
};
const value = (source: string) => {
  const outcome = evaluate(source, inputs);
  return outcome.error === undefined ? outcome.value : `error: ${outcome.error}`;
};

test.each<[string, unknown]>([
  ["1 + 2 * 3 - 4 / 2 % 5", 5],
  ["(1 + 2) * 3", 9],
  ["2 ** 3 ** 2", 512],
  ["-version", "error: version is not known"],
  ["-space.vars.version + +'4'", 1],
  [".5 + 0x10 + 1e2", 116.5],
  ["'a' + 1 + true + null", "a1truenull"],
  ["'it\\'s' + \"\\u0041\\x42\\u{1f600}\\n\"", "it'sAB😀\n"],
  ["1 < 2 && 'a' < 'b' && '10' > 9", true],
  ["1 == '1'", true],
  ["1 === '1'", false],
  ["null == undefined", true],
  ["[] == ''", false],
  ["space.vars.product != 'Octavo'", false],
  ["!space.vars.beta", false],
  ["space.vars.beta ? 'new' : 'old'", "new"],
  ["false ? 1 : true ? 2 : 3", 2],
  ["null ?? undefined ?? 0 ?? 1", 0],
  ["0 || '' || 'last'", "last"],
  ["0 && nothing.at.all", 0],
  ["'plan' in visitor.claims", true],
  ["'toString' in visitor.claims", false],
  ["visitor.claims['plan']", "pro"],
  ["visitor.claims.company.name", "Acme"],
  ["visitor.claims.unsigned.lang", "de"],
  ["visitor.claims.missing", undefined],
  ["visitor.claims.missing.deeper", "error: deeper of nothing"],
  ["visitor.claims.missing?.deeper.and.deeper", undefined],
  ["visitor.claims.missing?.deeper()", undefined],
  ["visitor.claims?.plan.length", 3],
  ["visitor.claims.plan?.[0]", "p"],
  ["visitor.claims.missing?.['x'] ?? 'none'", "none"],
  ["visitor.claims.tags.length", 3],
  ["visitor.claims.tags[1]", "bb"],
  ["visitor.claims.tags.at(-1)", "ccc"],
  ["visitor.claims.tags.includes('a')", true],
  ["visitor.claims.tags.some(tag => tag.length > 2)", true],
  ["visitor.claims.tags.every((tag) => tag.length > 2)", false],
  ["visitor.claims.tags.map((tag, at) => at + tag).filter(tag => !tag.startsWith('0')).at(0)", "1bb"],
  ["['a', 'b',].includes(visitor.claims.plan)", false],
  ["'  Text '.trim().toUpperCase().endsWith('XT') && 'Ab'.toLowerCase().includes('b')", true],
  ["({ a: 1, 'b c': 2, ['d' + 1]: 3 })['b c']", 2],
  ["((a, b) => a + b)(1, 2)", 3],
  ["`${space.vars.product} ${space.vars.version + 1}: ${`in ${page.vars.level}`}`", "Octavo 4: in easy"],
  ["1 /* one */ + // and\n 2", 3],
  ["1 + 1; 2", 2],
])("%s", (source, expected) => {
  expect(value(source)).toEqual(expected);
});

test.each([
  ["", "a value is missing at 1"],
  ["a = 1", 'unexpected "= "'],
  ["a += 1", 'unexpected "+="'],
  ["a ||= 1", 'unexpected "||"'],
  ["a++", 'unexpected "++"'],
  ["a & b", 'unexpected "& "'],
  ["a << b", 'unexpected "<<"'],
  ["1, 2", 'unexpected ", 2"'],
  ["if (a) b", 'unexpected "if"'],
  ["var a = 1", 'unexpected "var"'],
  ["new Date()", 'unexpected "new"'],
  ["function () {}", 'unexpected "function"'],
  ["() => { return 1 }", "a function with statements"],
  ["{ a: 1 }", "a statement, not an expression"],
  ["1; var a", 'unexpected "var"'],
  ["'open", "a text is not closed"],
  ["`open ${1}", "a template is not closed"],
  ["(1", '")" is missing at 3'],
  ["/a/.test('a')", "a value is missing at 1"],
  ["[...a]", "a value is missing at 2"],
  ["3in", "a value is missing at 1"],
  [`"${"x".repeat(1100)}"`, "longer than 1024 characters"],
  ["(".repeat(500), "nested too deeply"],
  ["!".repeat(500), "nested too deeply"],
])("%s is no expression", (source, problem) => {
  expect(problemOf(source)).toBe(problem);
  expect(value(source)).toBe(`error: ${problem}`);
});

test.each([
  "''.constructor",
  "[].constructor",
  "(() => 1).constructor",
  "visitor.constructor",
  "visitor.__proto__",
  "visitor.claims.toString",
  "'a'.repeat",
  "[1].reduce",
])("%s reaches nothing of JavaScript", (source) => {
  expect(value(source)).toBeUndefined();
});

test.each([
  "globalThis",
  "process.exit()",
  "constructor",
  "__proto__",
  "'a'.repeat(1000)",
  "''.constructor.constructor('return 1')()",
  "({ __proto__: { x: 1 } }).y()",
  "{}.x",
])("%s is an error", (source) => {
  expect(value(source)).toMatch(/^error: /);
});

test.each([
  ["calls of itself", "(f => f(f))(f => f(f))"],
  ["lists of lists", "(f => a => f(f(f(a))))(a => [a, a].map(x => [x, x]))([1])"],
  ["a text that doubles", `(d => ${"d(".repeat(60)}'x'${")".repeat(60)})(a => a + a)`],
  ["a walk over walks", `(l => ${"l.map(a => ".repeat(20)}1${")".repeat(20)})([1,2,3,4,5,6,7,8,9])`],
  ["a long sum", Array.from({ length: 500 }, () => "1").join("+")],
])("%s ends, and quickly", (_, source) => {
  const budget = { steps: 100_000 };
  evaluate(source, inputs, budget);
  expect(budget.steps).toBeGreaterThan(80_000);
});

test("a shared budget is used up, and what comes after fails", () => {
  const budget = { steps: 20 };
  expect(formatted("1 + 1", inputs, budget)).toBe("2");
  for (let round = 0; round < 10; round += 1) formatted("1 + 1 + 1 + 1", inputs, budget);
  expect(formatted("1 + 1", inputs, budget)).toBe("");
});

test.each([
  ["", true],
  ["  ", true],
  ["visitor.claims.plan == 'pro'", true],
  ["visitor.claims.plan == 'free'", false],
  ["visitor.claims.tags", true],
  ["visitor.claims.missing.deeper", false],
  ["no such thing", false],
])("a condition %j is met: %s", (condition, met) => {
  expect(isMet(condition, inputs)).toBe(met);
});

test.each([
  ["space.vars.product", "Octavo"],
  ["space.vars.version", "3"],
  ["space.vars.beta", "true"],
  ["visitor.claims.missing", ""],
  ["null", ""],
  ["visitor.claims.tags", ""],
  ["visitor.claims", ""],
  ["x => x", ""],
  ["broken(", ""],
])("%s is shown as %j", (source, text) => {
  expect(formatted(source, inputs)).toBe(text);
});

test("what reads the visitor is not the same for everybody", () => {
  expect(isDeterministic("space.vars.a + page.vars.b")).toBe(true);
  expect(isDeterministic("[1].map(x => visitor.claims.a)")).toBe(false);
  expect(isDeterministic("'visitor'")).toBe(true);
  expect(isDeterministic("broken(")).toBe(true);
});

const PIECES = (
  "visitor claims . space vars ( ) [ ] { } => ? : , ; + - * / % ** == === != < > <= >= && || ?? ! in ?. a b 1 2.5 'x' \" ` $ " +
  "true null undefined \\ map filter length at \u{1f600} é \n"
).split(" ");

test("evaluate returns a value or an error for any input", () => {
  for (let seed = 0; seed < 20_000; seed += 1) {
    const random = seeded(seed);
    const pieces = Array.from(
      { length: 1 + Math.floor(random() * 12) },
      () => PIECES[Math.floor(random() * PIECES.length)]!,
    );
    const source = pieces.join(random() < 0.5 ? "" : " ");
    const outcome = evaluate(source, inputs);
    expect("value" in outcome || typeof outcome.error === "string", source).toBe(true);
    expect(problemOf(source) !== undefined && "value" in outcome, source).toBe(false);
  }
});
