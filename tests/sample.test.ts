import { readdirSync, readFileSync } from "node:fs";
import { parseDocument } from "@octavo/markdown/document/parse";
import { BLOCK_TYPES, INLINE_TYPES, MARK_TYPES } from "@octavo/markdown/document/types";
import { expect, test } from "vitest";

// The pages of the sample space show what pages can be made of.

const SAMPLE = new URL("../packages/launcher/sample/", import.meta.url);

test("the sample shows every block, inline and mark", () => {
  const types = new Set<unknown>();
  for (const file of readdirSync(SAMPLE).filter((name) => name.endsWith(".md")))
    JSON.stringify(parseDocument(readFileSync(new URL(file, SAMPLE), "utf8")), (name, value: unknown) => {
      if (name === "type") types.add(value);
      return value;
    });
  const all: string[] = [...BLOCK_TYPES, ...INLINE_TYPES, ...MARK_TYPES];
  expect(all.filter((type) => !types.has(type))).toEqual([]);
});
