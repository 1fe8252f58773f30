import { expect, test } from "vitest";
import { workOf } from "../testing/work.js";
import { parseSummary } from "./summary.js";
import { buildTree, type TreeInput, type TreeNode, walkTree } from "./tree.js";

const paths = (nodes: TreeNode[]): string[] =>
  [...walkTree(nodes)].map(({ node }) =>
    "path" in node ? `${node.kind} ${node.path}` : `${node.kind} ${node.title}`,
  );

const build = (summary: string, files: string[], more: Partial<TreeInput> = {}) =>
  buildTree({ summary: parseSummary(summary), files, ...more });

test("buildTree takes slugs from file names and joins them along the nesting", () => {
  const { nodes, missing } = build(
    `* [Home](README.md)
* [Install](install/README.md)
  * [On Linux](install/on-linux.md)
    * [Sources](elsewhere/My Sources.md)
* [API](api/v2.1.md)

## Guides & more

* [First](guides/first.md)

## 📚 <a href="#books" id="books"></a>

* [Book](book.md)
`,
    [
      "README.md",
      "install/README.md",
      "install/on-linux.md",
      "elsewhere/My Sources.md",
      "api/v2.1.md",
      "guides/first.md",
      "book.md",
    ],
  );
  expect(missing).toEqual([]);
  expect(paths(nodes)).toEqual([
    "page readme",
    "page install",
    "page install/on-linux",
    "page install/on-linux/My-Sources",
    "page v2.1",
    "group guides-and-more",
    "page guides-and-more/first",
    "group books",
    "page books/book",
  ]);
});

test("buildTree gives siblings of the same name numbers, also below links and computed pages, which have no path", () => {
  const { nodes } = build(
    `* [A](a/x.md)
* [B](b/x.md)
* [Link](https://example.com)
  * [C](c/x.md)
  * \`\`\`yaml
    type: builtin:openapi
    dependencies:
      spec:
        ref: { kind: openapi, spec: pets }
    \`\`\`
* [D](d/x/README.md)
  * [E](e/x.md)
`,
    ["a/x.md", "b/x.md", "c/x.md", "d/x/README.md", "e/x.md"],
  );
  expect(paths(nodes)).toEqual([
    "page x",
    "page x-1",
    "link Link",
    "page x-2",
    "computed pets",
    "page x-3",
    "page x-3/x",
  ]);
});

test("buildTree makes one page of each mention of a file and counts them", () => {
  const { nodes } = build("* [A](a.md)\n* [A again](a.md)\n", ["a.md"]);
  expect(nodes).toMatchObject([
    { title: "A", file: "a.md", occurrence: 0, path: "a" },
    { title: "A again", file: "a.md", occurrence: 1, path: "a-1" },
  ]);
});

test("buildTree keeps the place of a missing file and reports it with its line", () => {
  const { nodes, missing } = build("* [A](a.md)\n* [Gone](dir/gone.md)\n", ["a.md"]);
  expect(missing).toEqual([{ file: "dir/gone.md", title: "Gone", line: 2 }]);
  expect(paths(nodes)).toEqual(["page a", "page gone"]);
});

test("buildTree finds files named in another Unicode form or with literal percent escapes", () => {
  const { nodes, missing } = build("* [A](caf\u00e9.md)\n* [B](my%20page.md)\n", [
    "cafe\u0301.md",
    "my%20page.md",
  ]);
  expect(missing).toEqual([]);
  expect(nodes).toMatchObject([{ file: "cafe\u0301.md", slug: "cafe" }, { file: "my%20page.md" }]);
});

test("buildTree resolves links to files and anchors of the repository", () => {
  const { nodes } = build("* [A](a.md#deep)\n* [B](files/b.pdf)\n* [C](https://example.com/a.md#x)\n", [
    "a.md",
    "files/b.pdf",
  ]);
  expect(nodes).toMatchObject([
    { file: "a.md", anchor: "deep" },
    { file: "files/b.pdf" },
    { url: "https://example.com/a.md#x" },
  ]);
  expect(nodes[2]).not.toHaveProperty("file");
});

test("buildTree lets a page's own slug and label stand", () => {
  const meta = () => ({ title: "Own title", slug: "Own Slug", linkTitle: "Own" });
  const { nodes } = build("* [A](a.md)\n* [](b.md)\n", ["a.md", "b.md"], { meta });
  expect(nodes).toMatchObject([
    { title: "A", slug: "Own-Slug", linkTitle: "Own" },
    { title: "Own title", slug: "Own-Slug-1" },
  ]);
});

test("buildTree without SUMMARY.md infers the tree from the folders", () => {
  const { nodes } = buildTree({
    files: [
      "zebra.md",
      "guide/10-last.md",
      "guide/2-first.md",
      "guide/README.md",
      "README.md",
      "notes/deep/page.md",
      "notes/one.md",
      ".gitbook/includes/x.md",
      "node_modules/y/README.md",
      "guide/picture.png",
      "SUMMARY.md",
    ],
    meta: (file) => (file === "zebra.md" ? { title: "The zebra" } : undefined),
  });
  expect([...walkTree(nodes)].map(({ node, parent }) => `${parent?.title ?? "-"} > ${node.title}`)).toEqual([
    "- > Readme",
    "- > Guide",
    "Guide > 2 first",
    "Guide > 10 last",
    "- > Notes",
    "Notes > Deep",
    "Deep > Page",
    "Notes > One",
    "- > The zebra",
  ]);
  expect(paths(nodes)).toEqual([
    "page readme",
    "page guide",
    "page guide/2-first",
    "page guide/10-last",
    "group notes",
    "page notes/deep",
    "page notes/deep/page",
    "page notes/one",
    "page zebra",
  ]);
});

test("buildTree puts the file the settings name first, README.md or not", () => {
  const { nodes } = buildTree({ files: ["a.md", "intro.md", "README.md"], readme: "intro.md" });
  expect(paths(nodes)).toEqual(["page readme", "page a", "page readme-1"]);
});

test("buildTree of 20,000 pages of one name is work in proportion to their number", () => {
  const files = Array.from({ length: 20_000 }, (_, index) => `d${index}/same.md`);
  const summary = parseSummary(files.map((file) => `* [Same](${file})`).join("\n"));
  const { nodes } = buildTree({ summary, files });
  expect(workOf(() => buildTree({ summary, files }))).toBeLessThan(30 * files.length);
  expect(new Set(paths(nodes)).size).toBe(20_000);
});

test("every page of a tree has a title that the interface takes", () => {
  const long = "a".repeat(600);
  const summary = `## ${long}\n\n* [${long}](a.md)\n* [${long}](https://a.test)\n* ${long}\n* [ ](b\u0007.md)\n`;
  const { nodes } = buildTree({
    summary: parseSummary(summary.replace("\u0007", "")),
    files: ["a.md", "b.md"],
  });
  const inferred = buildTree({ files: [`${"b".repeat(700)}.md`, "c\nd\u0007e.md"] }).nodes;
  for (const { node } of [...walkTree(nodes), ...walkTree(inferred)])
    expect(node.title).toMatch(/^[^\p{Cc}]{1,500}$/u);
});
