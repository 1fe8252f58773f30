import { expect, test } from "vitest";
import { castProblems } from "./casts.js";

const placesIn = (...lines: string[]) =>
  castProblems("store/entries.ts", lines.join("\n")).map((problem) => problem.split(" ")[0]);

test("a cast by way of a type that fits everything is a problem, on one line or several", () => {
  const through = ["unknown", "any", "never"].map(
    (type) => `const page = entry.props as ${type} as PageProps;`,
  );
  expect(placesIn(...through)).toEqual(["store/entries.ts:1", "store/entries.ts:2", "store/entries.ts:3"]);
  expect(placesIn("const page = entry", "  .props as unknown", "  as PageProps;")).toEqual([
    "store/entries.ts:2",
  ]);
});

test("one cast, a type alone and a comment about casts are none", () => {
  expect(
    placesIn(
      "const rows = read() as Entry[];",
      "const value: unknown = rows;",
      "// it is never `as unknown as Entry`",
      " * it is never `as unknown as Entry`",
    ),
  ).toEqual([]);
});

test("a reason right above a cast allows it, and no other one", () => {
  const cast = "  input.extend({ id }) as unknown as Input;";
  expect(placesIn("// Cast: the library knows no such type.", "const here = (input) =>", cast)).toEqual([]);
  expect(placesIn("// Cast:", cast)).toEqual(["store/entries.ts:2"]);
  expect(placesIn("// Types come later.", cast)).toEqual(["store/entries.ts:2"]);
  const far = ["// Cast: the library knows no such type.", "", "", "", "", cast];
  expect(placesIn(...far)).toEqual(["store/entries.ts:6"]);
});
