import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseDocument } from "@octavo/markdown/document/parse";
import { renderDocument } from "@octavo/markdown/document/render";
import { randomDocument } from "@octavo/markdown/document/testing";
import { pick, randomPage, randomText, seeded } from "@octavo/markdown/testing/random";
import { expect, test } from "vitest";
import { documentOf } from "../../documents/document.js";
import { jsonDocument } from "../../documents/document-schema.js";

const issuesOf = (document: unknown) =>
  jsonDocument
    .safeParse(document)
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

test("every document that is read may be sent back", () => {
  for (let seed = 0; seed < 600; seed += 1) {
    expect(issuesOf(randomDocument(seeded(seed))), `seed ${seed}`).toEqual([]);
    for (const make of [randomPage, randomText])
      expect(issuesOf(documentOf(make(seeded(seed)))), `seed ${seed}`).toEqual([]);
  }
});

const VALUES = [
  null,
  true,
  7,
  -1.5,
  "",
  "text",
  "\0",
  [],
  [null],
  {},
  { kind: "url" },
  { object: "block", type: "if" },
];

/** The document with one value somewhere replaced, removed or put elsewhere. */
function altered(document: JSONDocument, random: () => number): unknown {
  const copy = structuredClone(document) as unknown;
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const open = [copy];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const holder = next as Record<string, unknown>;
    for (const key of Object.keys(holder)) places.push({ holder, key });
    open.push(...Object.values(holder));
  }
  const { holder, key } = pick(random, places);
  const other = pick(random, places);
  if (random() < 0.2) delete holder[key];
  else holder[key] = random() < 0.3 ? structuredClone(other.holder[other.key]) : pick(random, VALUES);
  return JSON.parse(JSON.stringify(copy));
}

test("whatever is sent is refused or written: nothing else can happen", () => {
  let refused = 0;
  for (let seed = 0; seed < 6000; seed += 1) {
    const random = seeded(seed);
    const sent = altered(randomDocument(random), random);
    const { success, data } = jsonDocument.safeParse(sent);
    if (!success) refused += 1;
    else parseDocument(renderDocument(data), { body: true });
  }
  expect(refused).toBeGreaterThan(1000);
});
