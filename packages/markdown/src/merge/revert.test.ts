import { expect, test } from "vitest";
import { withKeys } from "../document/keys.js";
import { parseDocument } from "../document/parse.js";
import { placesOfKeys } from "../document/places.js";
import { randomPage, randomText, seeded } from "../testing/random.js";
import { revertBlocks } from "./revert.js";

const keysOf = (markdown: string) => withKeys(parseDocument(markdown)).nodes.map(({ key }) => key!);
const head = "---\nicon: gear\n---\n\n# Title\n\n";
const then = `${head}One.\n\nTwo.\n\n* three\n* four\n\nFive.\n`;

test.each<[what: string, now: string, key: (now: string[], before: string[]) => string, reverted: string]>([
  ["an edit", then.replace("Two.", "Zwei.").replace("Five", "Fünf"), (now) => now[1]!, "Five>Fünf"],
  ["an edit, by its former key", then.replace("Two.", "Zwei."), (_, before) => before[1]!, ""],
  ["a list", then.replace("four", "vier").replace("One", "Eins"), (now) => now[2]!, "One>Eins"],
  ["an insertion", then.replace("Two.", "Two.\n\nNew."), (now) => now[2]!, ""],
  ["a removal", then.replace("Two.\n\n", "").replace("Five", "Fünf"), (_, before) => before[1]!, "Five>Fünf"],
  [
    "one of two that made way for another",
    then.replace("One.\n\nTwo.", "Eins."),
    (_, before) => before[1]!,
    "One>Eins",
  ],
  [
    "one of two that made way for three",
    then.replace("One.\n\nTwo.", "Eins.\n\nZwei.\n\nDrei."),
    (now) => now[1]!,
    "One.\n\nTwo.>Eins.\n\nTwo.\n\nDrei.",
  ],
  ["nothing, where nothing changed", then.replace("One", "Eins"), (now) => now[1]!, "One>Eins"],
])("revertBlocks puts %s back, and leaves the rest", (_, now, key, reverted) => {
  const [from, to] = reverted.split(">");
  const expected = from ? then.replace(from, to!) : then;
  expect(revertBlocks(now, then, [key(keysOf(now), keysOf(then))])).toEqual({ markdown: expected });
});

test("revertBlocks takes an insertion out with the blank space around it", () => {
  const [then, now] = ["# T\n\nOne.\n\n\n\nTwo.\n", "# T\n\nOne.\n\nNew.\n\nTwo.\n"];
  expect(revertBlocks(now, then, [keysOf(now)[1]!])).toEqual({ markdown: then });
});

test("revertBlocks leaves title and frontmatter as they are, and names the keys that neither text has", () => {
  const now = then.replace("gear", "star").replace("# Title", "# Other").replace("One.", "Eins.");
  const [key] = keysOf(now);
  const reverted = then.replace("gear", "star").replace("# Title", "# Other");
  expect(revertBlocks(now, then, [key!])).toEqual({ markdown: reverted });
  expect(revertBlocks(now, then, [key!, "nothing", "none"])).toEqual({ unknown: ["nothing", "none"] });
  expect(revertBlocks(now, then, ["nothing"])).toEqual({ unknown: ["nothing"] });
});

test("each block of a page is found in its markdown, where that is not a guess", () => {
  let found = 0;
  for (const make of [randomPage, randomText]) {
    for (let seed = 0; seed < 400; seed += 1) {
      const page = make(seeded(seed));
      const places = placesOfKeys(page);
      if (!places) continue;
      found += 1;
      expect(places.map(({ key }) => key)).toEqual(keysOf(page));
      const ats = places.map(({ at }) => at);
      expect(
        [...ats].sort((one, two) => one - two),
        `seed ${seed}`,
      ).toEqual(ats);
    }
  }
  expect(found).toBeGreaterThan(600);
});

test("with the blocks of both put back a page has the blocks that it had", () => {
  let compared = 0;
  for (let seed = 0; seed < 300; seed += 1) {
    const random = seeded(seed);
    const [now, before] = [randomPage(random), randomPage(random)].map((page) => `# Page\n\n${page}`) as [
      string,
      string,
    ];
    const reverted = revertBlocks(now, before, [...new Set([...keysOf(now), ...keysOf(before)])]);
    if (!reverted || reverted.unknown) continue;
    compared += 1;
    expect(keysOf(reverted.markdown), `seed ${seed}`).toEqual(keysOf(before));
  }
  expect(compared).toBeGreaterThan(150);
});
