import { parseDocument } from "@octavo/markdown/document/parse";
import { expect, test } from "vitest";
import { rssOf } from "../formats/rss.js";
import { factsOf } from "./facts.js";

const UPDATES =
  '{% updates %}\n{% update date="2026-03-01" %}\n## Faster\n\nWords.\n{% endupdate %}\n{% endupdates %}';

test("a page has updates where there is a feed of them, also of those that are folded away", () => {
  const folded = `<details>\n\n<summary>Older</summary>\n\n${UPDATES}\n\n</details>`;
  const feed = { title: "Log", description: "", url: "https://docs.example/log" };
  for (const [markdown, expected] of [
    [UPDATES, true],
    [folded, true],
    ['`class="update"`', false],
  ] as const) {
    const document = parseDocument(markdown, { body: true });
    expect(factsOf(document).updates, markdown).toBe(expected);
    expect(rssOf(document, feed)?.includes("<title>Faster</title>") ?? false, markdown).toBe(expected);
  }
});
