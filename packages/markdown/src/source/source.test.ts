import { expect, test } from "vitest";
import { pick, randomPage, randomText, randomTitle, seeded } from "../testing/random.js";
import { composeSource, readSource, writeProperties, writeTitle } from "./source.js";

const PAGE = `---
description: "What: it is" # by hand
icon: rocket
# kept
custom:   [1,  2]
hidden: true
cover: .gitbook/assets/a.png
coverY: -12.5
layout:
  width: wide
  cover:
    visible: true
    size: hero
  outline:
    visible: false
vars:
  version: 1.10
  beta: true
if: visitor.claims.x
---

# The \`title\` &amp; more <a href="#t" id="t"></a>

Body
`;

test("readSource reads title and frontmatter", () => {
  expect(readSource(PAGE)).toEqual({
    title: "The `title` & more",
    description: "What: it is",
    icon: "rocket",
    hidden: true,
    cover: { ref: ".gitbook/assets/a.png", yPos: -12.5 },
    layout: { width: "wide", cover: true, coverSize: "hero", outline: false },
    variables: { version: 1.1, beta: true },
    condition: "visitor.claims.x",
    problems: [],
  });
});

test.each([
  ["an ATX heading", "# Hi there ##\n", "Hi there"],
  ["an underlined heading", "Hi\nthere\n===\n\ntext", "Hi there"],
  ["an HTML heading", '<h1 align="center">Hi &lt;there&gt;</h1>\n', "Hi <there>"],
  ["a heading behind text", "Text\n\n# Hi\n", "Hi"],
  ["a byte order mark", "\uFEFF# Hi", "Hi"],
  ["Windows line ends", "---\r\ntitle: No\r\n---\r\n# Hi\r\n", "Hi"],
  ["the frontmatter's title", "---\ntitle: Front\n---\ntext", "Front"],
  ["a number in the frontmatter", "---\ntitle: 1.10\n---\n", "1.10"],
  ["nothing", "## Two\n\ntext", undefined],
  ["a heading in a fence", "```\n# no\n```\n\n~~~\n# no\n~~~\n", undefined],
  [
    "a heading in a list, quote or tag",
    "* a\n\n  # no\n\n> # no\n\n{% hint %}\n# no\n{% endhint %}\n",
    undefined,
  ],
  ["a heading in a comment", "<!--\n\n# no\n\n-->", undefined],
  ["a hashtag", "#hashtag\n", undefined],
])("readSource finds the title of %s", (_, markdown, title) => {
  expect(readSource(markdown).title).toBe(title);
});

test.each([
  ["", true],
  ["\uFEFF# Title\r\n\r\n", true],
  ["---\nicon: x\n---\n\nTitle\n=====\n \n", true],
  ["# Title\n\n***\n", undefined],
  ["Before\n\n# Title\n", undefined],
  ["---\nno frontmatter\n", undefined],
])("readSource reports whether %j has more than frontmatter and title", (markdown, empty) => {
  expect(readSource(markdown).empty).toBe(empty);
});

test("readSource reports broken frontmatter and takes it as text", () => {
  const source = readSource("---\nicon: x\ndescription: what: it is\n---\n# Title\n");
  expect(source).toMatchObject({ title: "Title", problems: [{ line: 3 }] });
  expect(source.description).toBeUndefined();
});

test("readSource reports fields it cannot use by line and keeps the others", () => {
  const source = readSource(
    "---\ndescription: [a]\nhidden: 'yes'\nicon: x\nlayout:\n  width: huge\nvars:\n  1a: x\n---\n",
  );
  expect(source).toEqual({
    icon: "x",
    empty: true,
    problems: [
      { line: 2, message: "description must be a text" },
      { line: 3, message: "hidden must be true or false" },
      { line: 5, message: "layout.width must be default or wide" },
      { line: 7, message: "vars.1a is not a name: a letter, then letters, digits and _" },
    ],
  });
});

test("readSource does not take a page that starts with a line across for frontmatter", () => {
  const source = readSource("---\n\nSome words, then\n\n---\n\n# Title\n");
  expect(source).toEqual({ title: "Title", problems: [] });
});

test.each([
  ['# Old <a href="#x" id="x"></a>\r\n\r\nBody\r\n', '# New \\* 1 <a href="#x" id="x"></a>\r\n\r\nBody\r\n'],
  ["Body\n\n#   Old   ##\nmore", "Body\n\n#   New \\* 1   ##\nmore"],
  ["Old\n title\n=====\n", "New \\* 1\n=====\n"],
  ["<h1>\n Old</h1>\n", "<h1>New &#42; 1</h1>\n"],
  ["---\ntitle: Old # why\nicon: x\n---\nBody", "---\ntitle: New * 1 # why\nicon: x\n---\nBody"],
  ["---\nicon: x\n---\n\nBody", "---\nicon: x\n---\n\n# New \\* 1\n\nBody"],
  ["---\nicon: x\n---\nBody", "---\nicon: x\n---\n\n# New \\* 1\n\nBody"],
  ["", "# New \\* 1\n"],
  ["#\n\nBody", "# New \\* 1\n\nBody"],
])("writeTitle changes the title of %j and nothing else", (markdown, written) => {
  expect(writeTitle(markdown, "New * 1")).toBe(written);
});

test("writeTitle with the same or an empty title changes no byte", () => {
  expect(writeTitle(PAGE, "The `title` & more")).toBe(PAGE);
  expect(writeTitle(PAGE, " \n ")).toBe(PAGE);
});

test("readSource reads back what writeTitle wrote, in any page", () => {
  const random = seeded(4);
  for (let round = 0; round < 1500; round += 1) {
    const page = random() < 0.5 ? randomPage(random) : randomText(random);
    const title = randomTitle(random).replace(/\s+/g, " ") || "x";
    expect(readSource(writeTitle(page, title)).title).toBe(title);
  }
});

test("writeProperties sets one field and leaves every other byte", () => {
  const edited = writeProperties(PAGE, { description: "New: text", noIndex: true });
  expect(edited).toBe(
    PAGE.replace('description: "What: it is" # by hand', 'description: "New: text" # by hand').replace(
      "if: visitor.claims.x\n",
      "if: visitor.claims.x\nnoIndex: true\n",
    ),
  );
});

test("writeProperties keeps a text's quotes, and every byte when nothing changes", () => {
  const page = "---\ndescription: 'a: b'\nicon:   x\n---\n";
  expect(writeProperties(page, { description: "c" })).toBe("---\ndescription: 'c'\nicon:   x\n---\n");
  expect(writeProperties(page, { description: "a: b", icon: "x", hidden: false })).toBe(page);
});

test("writeProperties removes fields, false flags among them", () => {
  const edited = writeProperties(PAGE, {
    description: null,
    hidden: false,
    cover: null,
    variables: null,
    condition: null,
  });
  expect(edited).toBe(`---
icon: rocket
# kept
custom:   [1,  2]
layout:
  width: wide
  cover:
    visible: true
    size: hero
  outline:
    visible: false
---

# The \`title\` &amp; more <a href="#t" id="t"></a>

Body
`);
});

test("writeProperties changes the named parts of a layout", () => {
  const edited = writeProperties(PAGE, { layout: { outline: true, title: false } });
  expect(readSource(edited).layout).toEqual({
    width: "wide",
    cover: true,
    coverSize: "hero",
    outline: true,
    title: false,
  });
  expect(edited).toContain("custom:   [1,  2]\n");
});

test("writeProperties keeps Windows line ends", () => {
  const edited = writeProperties("---\r\nicon: a\r\nold: |\r\n  x\r\n  y\r\n---\r\nBody\r\n", {
    icon: "b",
    variables: { a: 1, b: "x" },
  });
  expect(edited).toBe(
    "---\r\nicon: b\r\nold: |\r\n  x\r\n  y\r\nvars:\r\n  a: 1\r\n  b: x\r\n---\r\nBody\r\n",
  );
});

test("writeProperties makes frontmatter where there is none, and takes it away when it is empty", () => {
  const made = writeProperties("# T\n\nBody", { description: "d" });
  expect(made).toBe("---\ndescription: d\n---\n\n# T\n\nBody");
  expect(writeProperties(made, { description: null })).toBe("# T\n\nBody");
  expect(writeProperties("# T", { description: null, hidden: false })).toBe("# T");
});

test("writeProperties manages frontmatter in braces, with anchors, or broken", () => {
  expect(readSource(writeProperties("---\n{icon: a, x: 1}\n---\nB", { icon: "b" }))).toMatchObject({
    icon: "b",
  });
  const anchored = writeProperties("---\nicon: &a x\nemoji: *a\n---\nB", { icon: "b" });
  expect(readSource(anchored)).toMatchObject({ icon: "b", problems: [] });
  const broken = "---\na: b: c\n---\nB";
  expect(writeProperties(broken, { icon: "b" })).toBe(`---\nicon: b\n---\n\n${broken}`);
});

test("readSource reads back what writeProperties wrote, and the body stays", () => {
  const random = seeded(5);
  for (let round = 0; round < 600; round += 1) {
    const page = pick(random, ["", PAGE, "---\nicon: x\n---\n"]) + randomText(random).replaceAll("\0", "");
    const description = randomText(random).replaceAll("\0", "") || "x";
    const source = readSource(writeProperties(page, { description, icon: "y", layout: { width: "wide" } }));
    expect(source).toMatchObject({ description, icon: "y", layout: { width: "wide" } });
    expect(source.title).toBe(readSource(page).title);
  }
});

test("composeSource adds the title under the frontmatter unless the markdown has one", () => {
  expect(composeSource({ title: "A #", description: "d", hidden: true }, "Body\n")).toBe(
    "---\ndescription: d\nhidden: true\n---\n\n# A \\#\n\nBody\n",
  );
  expect(composeSource({ title: "A" }, "---\nicon: x\n---\n\nBody")).toBe("---\nicon: x\n---\n\n# A\n\nBody");
  expect(composeSource({ title: "A" }, "# B\n\nBody")).toBe("# B\n\nBody");
  expect(composeSource({ title: "A" }, "```\n# B\n```\n")).toBe("# A\n\n```\n# B\n```\n");
  expect(composeSource({ title: "A" }, "")).toBe("# A\n");
  expect(composeSource({}, "Body")).toBe("Body");
});

test.each([
  ["a heading", `# ${"a ".repeat(400)}`],
  ["controls", '---\ntitle: "a\\tb\\x07c\\u2028d\\0e"\n---\n'],
  ["halves of pairs", `---\ntitle: "${"\\ud83d".repeat(400)}"\n---\n`],
  ["pairs", `# ${"a"}${"\u{1f600}".repeat(400)}`],
  ["HTML", `<h1>a&#7;b&#10;${"c".repeat(600)}</h1>`],
])("a title from %s is one that the interface takes", (_, markdown) => {
  const { title = "" } = readSource(markdown);
  expect(title).toMatch(/^[^\p{Cc}\p{Cs}\u2028\u2029]{1,500}$/u);
  expect(title.length).toBeLessThanOrEqual(500);
  expect(title.trim()).toBe(title);
});

test("a title of nothing but control characters is none", () => {
  expect(readSource('---\ntitle: "\\x01\\n"\n---\n\ntext\n').title).toBeUndefined();
});

test("texts of frontmatter hold nothing that can not be stored", () => {
  const source = readSource('---\ndescription: "a\\0\\ud800b"\nvars:\n  x: "\\0"\n---\n');
  expect(source).toMatchObject({ description: "a\uFFFD\uFFFDb", variables: { x: "\uFFFD" } });
});

test.each([
  ["that is a list", "if: [visitor.claims.beta]"],
  ["in broken frontmatter", "if: visitor.claims.beta\ntitle: [a"],
  ["in frontmatter that is too long", `if: visitor.claims.beta\ndescription: ${"a".repeat(40_000)}`],
])("a condition %s is met for nobody", (_, yaml) => {
  expect(readSource(`---\n${yaml}\n---\n\ntext\n`).condition).toBe("false");
});

test.each([
  ["# Plans {% if visitor.claims.beta %}secret{% endif %}", "Plans"],
  ["Plans {% if visitor.claims.beta %}secret{% endif %}\n===", "Plans"],
  ['# Plans <code class="expression">visitor.claims.beta ? "secret" : ""</code>', "Plans"],
  ["<h1>Plans {% if visitor.claims.beta %}secret</h1>", "Plans"],
  ["# Plans \\\\{% if visitor.claims.beta %}secret{% endif %}", "Plans \\"],
  ["# Plans \\{% if a %}kept{% endif %}", "Plans {% if a %}kept{% endif %}"],
])("readSource of %j takes the title without what is for some visitors only", (markdown, title) => {
  expect(readSource(`${markdown}\n\nText\n`).title).toBe(title);
});
