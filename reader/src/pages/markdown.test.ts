import { afterAll, expect, test } from "vitest";
import { createDrawing } from "../drawing/drawing.js";
import { createOptionalParts } from "../site/optional-parts.js";
import { spaceFrom } from "../site/space.js";
import { page } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { markdownOf } from "./markdown.js";

const drawing = createDrawing();
afterAll(() => drawing.close());

const words = (text: string) => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] });
const paragraph = (...nodes: object[]) => ({ object: "block", type: "paragraph", nodes });
const link = (ref: object, text: string) => ({
  object: "inline",
  type: "link",
  data: { ref },
  nodes: [words(text)],
});
const included = (id: string) => ({
  object: "block",
  type: "reusable-content",
  isVoid: true,
  data: { ref: { kind: "reusable-content", reusableContent: id } },
});
const quote = (...nodes: object[]) => ({ object: "block", type: "blockquote", nodes });
const document = (...nodes: object[]) => ({ object: "document", data: {}, nodes });

const HASH = "a".repeat(43);
const files = [{ id: "file", name: "a b.png", hash: HASH, size: 3, contentType: "image/png" }];

/** Writes the first page of a space, whose document is given, and what it may include. */
async function written(shown: object, reusables: Record<string, () => Promise<object>> = {}) {
  // Cast: a file as far as it is linked.
  const space = spaceFrom("key", {
    pages: [page("home", "Home"), page("guide", "Guide")],
    files: files as never,
  });
  const query = async ({ reusableContentId: id }: { reusableContentId: string }) => reusables[id]!();
  const place = {
    space: "space",
    revision: "revision",
    site: "site",
    base: "/sites/docs/",
    siteCanonical: "https://docs.example/sites/docs/",
    canonical: "https://docs.example/sites/docs/",
    visitor: {
      patient: {
        content: {
          shownPages: {
            page: { query: async () => ({ page: { type: "document" }, document: JSON.stringify(shown) }) },
          },
          revisionContent: { reusableContentDocument: { query } },
        },
      },
    },
  };
  const site = { newTab: false, spaces: [], spoken: "en", words: wordsIn("en") };
  const parts = createOptionalParts();
  // Cast: the little of a place and of a site that writing a page looks at.
  const context = { place, site, space, drawing, parts } as unknown as Parameters<typeof markdownOf>[0];
  const text = await markdownOf(context, space.order[0]!, { alone: false });
  return { text, areMissing: parts.areMissing };
}

test("a page as markdown has whole addresses, of pages those of their markdown", async () => {
  const refs: [object, string][] = [
    [{ kind: "page", page: "guide" }, "a page"],
    [{ kind: "page", page: "home" }, "the first page"],
    [{ kind: "anchor", page: "guide", anchor: "part" }, "a part"],
    [{ kind: "anchor", anchor: "here" }, "a part of this page"],
    [{ kind: "file", file: "file" }, "a file"],
    [{ kind: "url", url: "https://other.example/x" }, "another site"],
    [{ kind: "url", url: "/other" }, "a path"],
    [{ kind: "url", url: "//[" }, "no address"],
    [{ kind: "page", page: "hidden" }, "what the visitor does not see"],
  ];
  const { text } = await written(document(...refs.map(([ref, text]) => paragraph(link(ref, text)))));
  expect(text!.trim().split("\n\n")).toEqual([
    "# Home",
    "[a page](https://docs.example/sites/docs/guide.md)",
    "[the first page](https://docs.example/sites/docs/home.md)",
    "[a part](https://docs.example/sites/docs/guide.md#part)",
    "[a part of this page](#here)",
    `[a file](https://docs.example/sites/docs/~octavo/files/${HASH}/a%20b.png)`,
    "[another site](https://other.example/x)",
    "[a path](https://docs.example/other)",
    "[no address](//[)",
    "what the visitor does not see",
  ]);
});

test("a page as markdown has what it includes in its place, at any depth and once in itself", async () => {
  const { text, areMissing } = await written(document(paragraph(words("own")), quote(included("a"))), {
    a: async () => document(paragraph(words("of a")), included("b"), included("a")),
    b: async () => document(paragraph(link({ kind: "page", page: "guide" }, "of b"))),
  });
  expect(text).toBe("# Home\n\nown\n\n> of a\n>\n> [of b](https://docs.example/sites/docs/guide.md)\n");
  expect(areMissing).toBe(false);
});

test("a page as markdown is written without what is unavailable, and says so to those who keep it", async () => {
  const away = async () => Promise.reject(new TypeError("fetch failed"));
  const { text, areMissing } = await written(document(paragraph(words("own")), included("a")), { a: away });
  expect(text).toBe("# Home\n\nown\n");
  expect(areMissing).toBe(true);
});

test("what a page names as content has its title, and is left out where it leads nowhere", async () => {
  const named = (page: string) => ({
    object: "block",
    type: "content-ref",
    isVoid: true,
    data: { ref: { kind: "page", page } },
  });
  const address = "https://docs.example/sites/docs/guide.md";
  expect((await written(document(named("guide"), named("hidden")))).text).toBe(
    `# Home\n\n{% content-ref url="${address}" %}\n[Guide](${address})\n{% endcontent-ref %}\n`,
  );
});

test("a block of an operation names the file of its API by a whole address alone", async () => {
  const block = {
    object: "block",
    type: "swagger",
    isVoid: true,
    data: { ref: { kind: "file", file: "file" }, path: "/pets", method: "get", body: "[x.yml](../x.yml)" },
  };
  const address = `https://docs.example/sites/docs/~octavo/files/${HASH}/a%20b.png`;
  const { text } = await written(document({ ...block, data: { ...block.data, tag: "swagger" } }));
  expect(text).toBe(`# Home\n\n{% swagger src="${address}" path="/pets" method="get" %}\n{% endswagger %}\n`);
});

test("a page without text is its title", async () => {
  expect((await written(document())).text).toBe("# Home\n");
});
