import { expect, test } from "vitest";
import { mutantsOf } from "./mutants.js";
import { switchedSource } from "./switched.js";

const changes = (source: string) =>
  mutantsOf("a.ts", source).map(({ start, end, to }) => source.slice(0, start) + to + source.slice(end));

test("a mutant is another operator, value, condition or call, one place at a time", () => {
  expect(changes("const a = b < 1;")).toEqual(["const a = b <= 1;", "const a = b < 2;"]);
  expect(changes("const a = !b && c;").sort()).toEqual(["const a = !b || c;", "const a = b && c;"]);
  expect(changes("const a = b ?? c;")).toEqual(["const a = b;"]);
  expect(changes('if (a) b("x");').sort()).toEqual([
    "if (a) ;",
    'if (a) b("");',
    'if (false) b("x");',
    'if (true) b("x");',
  ]);
  expect(changes("const a = b.filter(c).some(d);").sort()).toEqual([
    "const a = b.filter(c).every(d);",
    "const a = b.some(d);",
  ]);
  expect(changes("const a = [b, []];")).toEqual(["const a = [];"]);
});

test("code that does not affect behaviour has no mutant: types, names, the size of a comparison's outcome", () => {
  for (const source of [
    'import { a } from "b";',
    'export { a } from "b";',
    'type A = "b" | 1;',
    'const a = b as "c";',
    'const a = { "b-c": d };',
    "const a = b.toString();",
  ])
    expect(changes(source), source).toEqual([]);
  expect(changes("const a = b < c ? -1 : b > c ? 1 : 0;").filter((text) => text.includes("2"))).toEqual([]);
});

test("the number of a constant that is named as milliseconds stays, and every other number changes", () => {
  expect(changes("const POLL_MS = 1_000;")).toEqual([]);
  expect(changes("export const POLL_MS = 1_000;")).toEqual([]);
  for (const source of [
    "const BATCH = 500;",
    "const pollMs = 1_000;",
    "const POLL_MS = 2 * 500;",
    "wait({ POLL_MS: 1_000 });",
    "function wait(POLL_MS = 1_000) {}",
  ])
    expect(changes(source), source).not.toEqual([]);
});

/** What the function of a text returns, or `thrown`. */
function resultOf(source: string): unknown {
  try {
    return new Function(`return (${source})();`)();
  } catch {
    return "thrown";
  }
}

test.each([
  "() => 2 + 3 * (4 - 1)",
  "() => { const a = undefined; return a?.b.filter((c) => c > 1).length ?? 5; }",
  "() => { const a = { b: [1, 2, 3] }; return a?.b.filter((c) => c > 1).length ?? 5; }",
  "() => { const a = []; if (a.length === 0) a.push(1); else a.push(2); a.push(3)\n a.push([4, 'x']); return a.join(); }",
  "() => { let a = 0; for (const b of [1, 2]) if (b > 1) (() => a++)(); else if (!a) [5].forEach((c) => { a += c; }); return a; }",
  "() => [3, 1, 2].some((a) => a > 2 && a < 4) ? 1 + 1 : { a: true }.a",
])("the switched source does what the source does, and what each mutant does: %s", (source) => {
  const mutants = mutantsOf("a.ts", source);
  const switched = switchedSource(source, new Map(mutants.entries()));
  const shared = globalThis as { octavoMutant?: (number: number) => boolean };
  const given = shared.octavoMutant;
  const withMutant = (chosen?: number) => {
    shared.octavoMutant = (number) => number === chosen;
    try {
      return resultOf(switched);
    } finally {
      shared.octavoMutant = given;
    }
  };
  expect(withMutant()).toEqual(resultOf(source));
  for (const [number, { start, end, to }] of mutants.entries())
    expect(withMutant(number), to).toEqual(resultOf(source.slice(0, start) + to + source.slice(end)));
});
