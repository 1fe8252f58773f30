import { describe, expect, test } from "vitest";
import { claimsWithin, isVisible } from "./claims.js";
import { condition, problemWithin } from "./condition.js";
import { readRison } from "./rison.js";
import { SiteAdaptiveJSONSchema } from "./schema.js";
import { templateConditions } from "./template-conditions.js";

const unsigned = {
  type: "object",
  description: "Unsigned claims of the site visitor.",
  properties: { lang: { type: "string", enum: ["en", "de"], description: "The language." } },
  additionalProperties: false,
};
const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    beta: { type: "boolean", description: "Tests what is new." },
    plan: { type: "string", enum: ["free", "pro"], description: "What is paid for." },
    name: { type: "string", description: "How to greet." },
    seats: { type: "number", description: "How many may sign in." },
    tags: { type: "array", description: "Interests.", items: { type: "string", description: "One." } },
    company: {
      type: "object",
      description: "Where they work.",
      properties: {
        partner: { type: "boolean", description: "Sells what we make." },
        "size-class": { type: "string", enum: ['"large"', "small"], description: "How large it is." },
        city: { type: "string", description: "Where it is." },
      },
      additionalProperties: false,
    },
    unsigned,
  },
  additionalProperties: false,
};
const { properties } = SiteAdaptiveJSONSchema.parse(schema);
const plain = (claims: unknown) => JSON.parse(JSON.stringify(claims));

describe("the schema of claims", () => {
  const problems = (properties: unknown, more: object = {}) => {
    const parsed = SiteAdaptiveJSONSchema.safeParse({ ...schema, properties, ...more });
    return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
  };

  test("is returned as it was given, and may be empty", () => {
    expect(SiteAdaptiveJSONSchema.parse(schema)).toEqual(schema);
    expect(problems({})).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ["a list instead of claims", [], ["properties"]],
    ["a claim that is no object", { a: "boolean" }, ["properties.a"]],
    ["a claim without a type", { a: { description: "x" } }, ["properties.a.type"]],
    ["an unknown type", { a: { type: "integer", description: "x" } }, ["properties.a.type"]],
    ["no description", { a: { type: "boolean" } }, ["properties.a.description"]],
    [
      "a word that is not of the language",
      { a: { type: "boolean", description: "x", default: true } },
      ["properties.a"],
    ],
    ["no values", { a: { type: "string", description: "x", enum: [] } }, ["properties.a.enum"]],
    [
      "values that are no texts",
      { a: { type: "string", description: "x", enum: ["a", 1] } },
      ["properties.a.enum.1"],
    ],
    ["a value twice", { a: { type: "string", description: "x", enum: ["a", "a"] } }, ["properties.a.enum"]],
    [
      "a list of lists",
      { a: { type: "array", description: "x", items: { type: "array", description: "x", items: {} } } },
      ["properties.a.items.type"],
    ],
    [
      "an object that may hold more",
      { a: { type: "object", description: "x", properties: {}, additionalProperties: true } },
      ["properties.a.additionalProperties"],
    ],
    [
      "another description of unsigned claims",
      { unsigned: { ...unsigned, description: "Mine." } },
      ["properties.unsigned.description"],
    ],
    [
      "unsigned as a claim",
      { unsigned: { type: "boolean", description: "x" } },
      ["properties.unsigned.type"],
    ],
    [
      "a name that is too long",
      { ["x".repeat(101)]: schema.properties.beta },
      [`properties.${"x".repeat(101)}`],
    ],
    [
      "two places at once",
      { a: { type: "boolean" }, b: { type: "nothing" } },
      ["properties.a.description", "properties.b.type"],
    ],
  ])("refuses %s, and names the place", (_, properties, places) => {
    expect(problems(properties)).toEqual(expect.arrayContaining(places));
  });

  test.each([
    ["another draft", { $schema: "https://json-schema.org/draft/2020-12/schema" }, "$schema"],
    ["another type", { type: "array" }, "type"],
    ["claims beside the schema", { additionalProperties: true }, "additionalProperties"],
  ])("refuses %s", (_, more, place) => {
    expect(problems({}, more)).toEqual([place]);
  });

  test("is bounded in depth, claims and values", () => {
    let deep: unknown = { type: "boolean", description: "x" };
    const wrap = (inner: unknown) => ({
      type: "object",
      description: "x",
      properties: { a: inner },
      additionalProperties: false,
    });
    for (let depth = 0; depth < 4; depth += 1) deep = wrap(deep);
    expect(problems({ a: deep })).toEqual([]);
    expect(problems({ a: wrap(wrap(deep)) })).not.toEqual([]);
    const claims = (count: number, claim: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, claim]));
    expect(problems(claims(200, schema.properties.beta))).toEqual([]);
    expect(problems(claims(201, schema.properties.beta))).toEqual(["properties"]);
    const values = Array.from({ length: 100 }, (_, index) => `v${index}`);
    expect(problems(claims(5, { ...schema.properties.plan, enum: values }))).toEqual([]);
    expect(problems(claims(6, { ...schema.properties.plan, enum: values }))).toEqual(["properties"]);
  });
});

describe("the claims of a visitor", () => {
  test("count as far as the schema has them", () => {
    const given = {
      beta: "true",
      plan: "gold",
      name: "Ada",
      seats: 3,
      extra: true,
      tags: ["a", 1, { b: 2 }, "c"],
      company: { partner: true, city: 1, "size-class": "small", more: {} },
      unsigned: { lang: "fr", beta: true },
    };
    expect(plain(claimsWithin(properties, given))).toEqual({
      name: "Ada",
      seats: 3,
      tags: ["a", "c"],
      company: { partner: true, "size-class": "small" },
      unsigned: {},
    });
  });

  test.each([null, undefined, "x", 1, [], [["beta", true]], { beta: Number.NaN }, { company: [] }])(
    "that are %j count for nothing",
    (given) => {
      expect(plain(claimsWithin(properties, given))).toEqual({});
    },
  );

  test("cannot reach what no claim is", () => {
    const given = JSON.parse(
      '{"__proto__":{"beta":true},"constructor":{"beta":true},"company":{"__proto__":{"partner":true}}}',
    );
    expect(plain(claimsWithin(properties, given))).toEqual({ company: {} });
    const open = { ...schema, properties: { constructor: schema.properties.beta } };
    const { properties: names } = SiteAdaptiveJSONSchema.parse(open);
    expect(plain(claimsWithin(names, { constructor: true }))).toEqual({ constructor: true });
    expect(plain(claimsWithin(names, {}))).toEqual({});
  });

  test("decide conditions", () => {
    const given = { beta: true, plan: "gold", company: { partner: true } };
    const claims = claimsWithin(properties, given);
    expect(isVisible("visitor.claims.beta && visitor.claims.company.partner", claims)).toBe(true);
    expect(isVisible("visitor.claims.plan == 'gold'", claims)).toBe(false);
    expect(isVisible("visitor.claims.unsigned.lang == 'de'", claims)).toBe(false);
    expect(isVisible("broken(", claims)).toBe(false);
    for (const none of [null, undefined, "", " "]) expect(isVisible(none, claims)).toBe(true);
  });
});

test.each([
  ["visitor.claims.beta && visitor.claims.company.partner", undefined],
  ["visitor.claims.plan.length > 3 && visitor.claims.unknown.deep", undefined],
  ["'plan' in visitor.claims && visitor.claims.company", undefined],
  [
    "visitor.claims.name == 'Ada'",
    "reads visitor.claims.name, which is neither a boolean nor a text of a list",
  ],
  [
    "!visitor.claims.company['city']",
    "reads visitor.claims.company.city, which is neither a boolean nor a text of a list",
  ],
  [
    "visitor.claims.tags.includes('a')",
    "reads visitor.claims.tags, which is neither a boolean nor a text of a list",
  ],
])("within a schema, %s: %s", (source, problem) => {
  expect(problemWithin(properties, source)).toBe(problem);
});

test("a condition of a site reads its visitors alone, and is refused with what is wrong", () => {
  const problem = (source: unknown) =>
    condition.safeParse(source).error?.issues.map(({ message }) => message);
  expect(problem("visitor.claims.beta")).toBeUndefined();
  expect(problem("space.vars.beta")).toEqual(["is no condition: space is not known"]);
  expect(problem("visitor.claims.")).toEqual(["is no condition: a name is missing at 16"]);
  for (const [source, expected] of [
    ["visitor.claims.beta &&", /missing|expected/],
    ["visitor.claims.beta = true", /condition/],
    ["run(visitor.claims)", /run/],
    ["visitor.claims.plan.constructor('x')()", /constructor|condition/],
    ["visitor.claims.plan.repeat(9)", /repeat/],
    ["process.env.HOME", /process/],
    ["(() => { for (;;) {} })()", /condition/],
    [`${"(".repeat(400)}true${")".repeat(400)}`, /deep|condition/],
    [`${"!".repeat(1000)}true`, /deep|condition/],
    ["true".padEnd(1025), /1,?024/],
  ] as const) {
    const [first, ...more] = problem(source) ?? [];
    expect([source, first, more]).toEqual([source, expect.stringMatching(expected), []]);
  }
  expect(problem("")).not.toBeUndefined();
  expect(problem(1)).not.toBeUndefined();
});

test("a schema suggests a condition for each boolean and each value, which is met by who claims it", () => {
  const suggested = templateConditions(properties);
  expect(suggested).toEqual([
    { description: "Tests what is new.", condition: "visitor.claims.beta == true" },
    { description: "What is paid for.", condition: 'visitor.claims.plan == "free"' },
    { description: "What is paid for.", condition: 'visitor.claims.plan == "pro"' },
    { description: "Sells what we make.", condition: "visitor.claims.company.partner == true" },
    {
      description: "How large it is.",
      condition: 'visitor.claims.company["size-class"] == "\\"large\\""',
    },
    { description: "How large it is.", condition: 'visitor.claims.company["size-class"] == "small"' },
    { description: "The language.", condition: 'visitor.claims.unsigned.lang == "en"' },
    { description: "The language.", condition: 'visitor.claims.unsigned.lang == "de"' },
  ]);
  const visitor = {
    beta: true,
    plan: "pro",
    company: { partner: true, "size-class": '"large"' },
    unsigned: { lang: "de" },
  };
  const claims = claimsWithin(properties, visitor);
  expect(suggested.filter(({ condition }) => isVisible(condition, claims))).toHaveLength(5);
  expect(suggested.filter(({ condition }) => isVisible(condition, {}))).toEqual([]);
});

test.each<[string, unknown]>([
  ["(plan:pro,beta:!t)", { plan: "pro", beta: true }],
  ["(a:!(1,-2.5,!n,!f),'b c':'it!'s !!','':())", { a: [1, -2.5, null, false], "b c": "it's !", "": {} }],
  ["!()", []],
  ["()", {}],
  ["pro", "pro"],
  ["12", 12],
  ["'12'", "12"],
])("Rison %s is read", (text, value) => {
  expect(plain((readRison(text) as { value: unknown }).value)).toEqual(value);
});

test.each([
  ["", "a value is missing at 1"],
  ["(plan:pro", '")" is missing at 10'],
  ["(plan)", '":" is missing at 6'],
  ["(plan:)", "a value is missing at 7"],
  ["!x", '"!" stands for nothing at 1'],
  ["'open", "a text is not closed"],
  ["()()", "nothing may follow at 3"],
  ["!(".repeat(11), "nested too deeply"],
  ["x".repeat(4097), "longer than 4096 characters"],
])("Rison %s is refused: %s", (text, problem) => {
  expect(readRison(text)).toEqual({ problem });
});

test("a name in Rison reaches no prototype", () => {
  const { value } = readRison("(__proto__:(beta:!t))") as { value: Record<string, unknown> };
  expect(value.beta).toBeUndefined();
  expect(claimsWithin(properties, value).beta).toBeUndefined();
});
