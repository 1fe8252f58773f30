import { withAnchors } from "@octavo/markdown/document/anchors";
import { evaluateDocument } from "@octavo/markdown/document/evaluate";
import { parseDocument } from "@octavo/markdown/document/parse";
import type { Ref } from "@octavo/markdown/document/refs";
import { expect, test } from "vitest";
import { outlineOf } from "./outline.js";
import { PLAIN_PAGE } from "./page.js";
import { renderDocument } from "./render.js";
import { summaryOf } from "./text.js";

const documentOf = (markdown: string) => withAnchors(parseDocument(markdown, { body: true }));
const html = (markdown: string, page = PLAIN_PAGE) => renderDocument(documentOf(markdown), page);

test("words are escaped, and marks nest in their order", () => {
  expect(html("a < b & **bold *both*** `<b>`")).toBe(
    "<p>a &lt; b &amp; <strong>bold </strong><strong><em>both</em></strong> <code>&lt;b></code></p>",
  );
});

test("headings begin below the title of the page and carry their anchor", () => {
  expect(html("## Set up")).toBe(
    '<h2 id="set-up">Set up<a class="anchor" href="#set-up" aria-label="Link to this section">#</a></h2>',
  );
  expect(html("# Another title\n\n##### Deep")).toMatch(
    /^<h2 id="another-title">.*<h5 id="deep" aria-level="3">/,
  );
});

test("screen readers get heading levels without a gap, however deep authors begin", () => {
  const levels = (markdown: string) =>
    [...html(markdown).matchAll(/<h(\d)[^>]*?(?: aria-level="(\d)")?>/g)].map(
      ([, depth, level]) => level ?? depth,
    );
  expect(levels("#### A\n\n#### B\n\n## C\n\n### D\n\n##### E")).toEqual(["2", "2", "2", "3", "4"]);
});

test("a link is written when its scheme is allowed, and is words otherwise", () => {
  expect(html("[a](https://a.example/?b=1&c=2)")).toBe(
    '<p><a href="https://a.example/?b=1&amp;c=2" rel="noopener">a</a></p>',
  );
  expect(html("[a](../b.md#c) [m](mailto:a@b.example)")).toBe(
    '<p><a href="../b.md#c">a</a> <a href="mailto:a@b.example">m</a></p>',
  );
  for (const url of ["javascript:alert(1)", "JAVA&#x0A;SCRIPT:alert(1)", "data:text/html,x", "vbscript:x"])
    expect(html(`<a href="${url}">a</a>`)).not.toContain("href");
});

test("links within a site are not external, also where they are whole addresses", () => {
  const link = (ref: Ref) =>
    ref.kind === "page" ? { href: "https://a.example/docs/b", title: "B" } : PLAIN_PAGE.link(ref);
  const page = { ...PLAIN_PAGE, link, site: "https://a.example/docs/", newTab: true };
  expect(html("[b](/broken/pages/p1) [other](https://a.example/blog)", page)).toBe(
    '<p><a href="https://a.example/docs/b">b</a> ' +
      '<a href="https://a.example/blog" rel="noopener" target="_blank">other</a></p>',
  );
  const card = html('{% content-ref url="/broken/pages/p1" %}\n\n{% endcontent-ref %}', page);
  expect(card).toContain('<a class="card-link" href="https://a.example/docs/b"><svg');
  expect(card).not.toContain("<small>");
  const mentioned = html('See [b](/broken/pages/p1 "mention").', page);
  expect(mentioned).toBe('<p>See <a class="mention" href="https://a.example/docs/b">B</a>.</p>');
});

test("a page that is linked to is called by its title where the link has no words", () => {
  const link = () => ({ href: "/docs/set-up", title: "Set <up>", emoji: "1f680" });
  const page = { ...PLAIN_PAGE, link };
  expect(html("[](/broken/pages/p1)", page)).toBe('<p><a href="/docs/set-up">Set &lt;up></a></p>');
  const card = html('{% content-ref url="/broken/pages/p1" %}\n\n{% endcontent-ref %}', page);
  expect(card).toContain(
    '<a class="card-link" href="/docs/set-up"><span class="emoji" aria-hidden="true">🚀</span>',
  );
  expect(html("[gone](/broken/pages/p1)")).toBe('<p><span class="lost">gone</span></p>');
  const mentioned = html('See [gone.md](/broken/pages/p1 "mention").');
  expect(mentioned).toBe('<p>See <span class="lost">gone.md</span>.</p>');
});

test("several users of a cell have something between them, and those whom nobody knows take no place", () => {
  const names: Record<string, string> = { u1: "Ada", u3: "Grace" };
  const link = ({ user }: Ref) => {
    const title = names[String(user)];
    return title === undefined ? undefined : { href: "", title };
  };
  const users = ["u1", "u2", "u3"].map((id) => `<a href="/broken/users/${id}">${id}</a>`).join(" ");
  const head = '<th data-type="users" data-multiple="true">By</th>';
  const table = `<table><thead><tr>${head}</tr></thead><tbody><tr><td>${users}</td></tr></tbody></table>`;
  expect(html(table, { ...PLAIN_PAGE, link })).toContain(">Ada, Grace</td>");
});

test("code has its title, its colors, and lines where they have numbers", () => {
  const made = html(
    '{% code title="a.js" lineNumbers="true" %}\n```js\nconst a = "<b>";\n\n// c\n```\n{% endcode %}',
  );
  expect(made).toBe(
    '<figure class="code"><figcaption>a.js</figcaption><pre tabindex="0" data-syntax="js"><code>' +
      '<span class="line" data-n="1"><span class="k">const</span> a = <span class="s">&quot;&lt;b>&quot;</span>;</span>\n' +
      '<span class="line" data-n="2"></span>\n' +
      '<span class="line" data-n="3"><span class="c">// c</span></span></code></pre></figure>',
  );
});

test("code keeps exactly the text of its source, whatever its language is", () => {
  const source = "a\n\n  <b>&amp;\t{{ x }}\n`$` \\";
  for (const syntax of ["", "js", "html", "diff", "nobody-knows", "yaml", "__proto__"]) {
    const made = html(`\`\`\`${syntax}\n${source}\n\`\`\``);
    const text = /<code>([\s\S]*)<\/code>/.exec(made)![1]!.replace(/<[^<>]*>/g, "");
    expect(text.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&"), syntax).toBe(
      source,
    );
  }
});

test("code that would take long, or has endless lines, is there without colors", () => {
  for (const source of [
    "a=1;".repeat(30_000),
    `"${"\\".repeat(1999)}`,
    "/*".repeat(900),
    "x ".repeat(5_000),
  ]) {
    const made = html(`\`\`\`js\n${source}\n\`\`\``);
    expect(made.length).toBeLessThan(20 * source.length + 1_000);
  }
  expect(html(`\`\`\`js\n${"a=1;".repeat(30_000)}\n\`\`\``)).not.toContain("<span");
});

test("tabs, steps, hints, expandables and columns hold what they hold", () => {
  expect(
    html(
      '{% tabs %}\n{% tab title="npm" %}\nOne\n{% endtab %}\n{% tab title="pnpm" %}\nTwo\n{% endtab %}\n{% endtabs %}',
    ),
  ).toBe(
    '<div class="tabs" role="radiogroup" aria-label="npm, pnpm">' +
      '<input type="radio" name="~tabs-1" id="~tabs-1-1" checked autocomplete="off"/><label for="~tabs-1-1">npm</label>' +
      '<div class="tab" id="npm"><p>One</p></div>' +
      '<input type="radio" name="~tabs-1" id="~tabs-1-2" autocomplete="off"/><label for="~tabs-1-2">pnpm</label>' +
      '<div class="tab" id="pnpm"><p>Two</p></div></div>',
  );
  expect(html('{% hint style="danger" %}\nNo\n{% endhint %}')).toMatch(
    /^<aside class="hint danger" aria-label="Danger"><svg .*<\/svg><div><p>No<\/p><\/div><\/aside>$/,
  );
  expect(html("<details>\n<summary>More `x`</summary>\n\nText\n\n</details>")).toBe(
    '<details id="more-x"><summary>More <code>x</code></summary><div><p>Text</p></div></details>',
  );
});

test("images have their size, so that nothing moves, and the one for dark pages", () => {
  const page = { ...PLAIN_PAGE, file: () => ({ href: "/f/a.png", name: "a.png", width: 800, height: 400 }) };
  const made = html(
    '<figure><img src="a.png" alt="A" width="400"><figcaption><p>What</p></figcaption></figure>',
    page,
  );
  expect(made).toBe(
    '<div class="images"><figure><img src="/f/a.png" alt="A" width="400" height="200" fetchpriority="high" decoding="async"/>' +
      "<figcaption><p>What</p></figcaption></figure></div>",
  );
  const two = html(
    '<figure><img src="a.png" alt=""></figure>\n\n<figure><img src="b.png" alt=""></figure>',
    page,
  );
  expect(two.match(/fetchpriority="high"|loading="lazy"/g)).toEqual([
    'fetchpriority="high"',
    'loading="lazy"',
  ]);
  const below = html(`${"Words.\n\n".repeat(20)}<figure><img src="a.png" alt=""></figure>`, page);
  expect(below).toContain('loading="lazy"');
  const dark =
    '<picture><source srcset="b.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt=""></picture>';
  expect(html(`<figure>${dark}</figure>`).match(/class="on-\w+"/g)).toEqual([
    'class="on-light"',
    'class="on-dark"',
  ]);
});

test("a table has its header, its alignment and its cells in order", () => {
  expect(html("| a | b |\n| - | -: |\n| 1 | **2** |")).toBe(
    '<section class="table" tabindex="0" aria-label="Table"><table><thead><tr><th scope="col">a</th>' +
      '<th scope="col" class="end">b</th></tr></thead><tbody><tr><td>1</td><td class="end"><strong>2</strong></td></tr>' +
      "</tbody></table></section>",
  );
});

test("paragraphs and items in the header of a table are each on a line, in cards as well", () => {
  const pipes = html(
    "| <p>Column Type</p><p>Description</p> | <ul><li>x</li><li>y</li></ul> |\n|---|---|\n| c | d |",
  );
  expect(pipes).toContain('<th scope="col">Column Type<br/>Description</th><th scope="col">x<br/>y</th>');
  const cards =
    '<table data-view="cards" data-column-title-hidden="false"><thead><tr><th><p>A</p><p>B</p></th></tr>';
  expect(html(`${cards}</thead><tbody><tr><td>c</td></tr></tbody></table>`)).toContain(
    "<small>A<br/>B</small>",
  );
});

test("a column with more than a few words in a cell is not narrowed to a word a line", () => {
  const words = "many words ".repeat(8);
  expect(html(`| a | b | c |\n|---|--:|---|\n| one | ${words} | <p>${words}</p> |`)).toContain(
    '<th scope="col">a</th><th scope="col" class="end wordy">b</th><th scope="col" class="wordy">c</th>',
  );
});

test("a diagram says how much room is kept for what a browser draws of it", () => {
  const room = (source: string) => /--room:([\d.]+)rem/.exec(html(`\`\`\`mermaid\n${source}\n\`\`\``))?.[1];
  expect(room("graph LR\n  a --> b")).toBe("7");
  expect(room("%% no line of the drawing\nsequenceDiagram\n  a->>b: c")).toBe("13");
  expect(room("graph TD\n  a --> b\n  b --> c")).toBe("15");
  expect(room(`graph TD\n${"  a --> b\n".repeat(40)}`)).toBe("26");
});

test("a long table says how many rows it has, by which its place is kept before it is laid out", () => {
  const rows = (count: number) => html(`| a |\n| - |\n${"| 1 |\n".repeat(count)}`);
  expect(rows(8)).toContain('aria-label="Table" style="--rows:8">');
  expect(rows(7)).not.toContain("style");
});

test("formulas are MathML, and their source where they are none", () => {
  expect(html("$$\nx^2\n$$")).toMatch(
    /^<div class="math" tabindex="0"><math [^>]*>.*<msup>.*<\/math><\/div>$/s,
  );
  expect(html("$$\n\\nobodyknows{<b>\n$$")).toBe('<pre class="source">\\nobodyknows{&lt;b></pre>');
});

test("a note opens from its words and stands below the page", () => {
  expect(html("A word[^1].\n\n[^1]: What it *means*.")).toBe(
    '<p>A <button type="button" class="annotation" popovertarget="~note-1">word</button>.</p>' +
      '<aside class="note" id="~note-1" popover="auto"><p>What it <em>means</em>.</p></aside>',
  );
});

test("what a condition or an expression would have decided is hidden while nobody has", () => {
  const markdown =
    '{% if visitor.claims.staff %}\nSecret\n{% endif %}\n\nHello <code class="expression">visitor.claims.name</code>!';
  expect(html(markdown)).toBe("<p>Hello !</p>");
  const inputs = {
    space: { vars: {} },
    page: { vars: {} },
    visitor: { claims: { staff: true, name: "<Ada>" } },
  };
  const { document } = evaluateDocument(documentOf(markdown), { inputs, source: markdown });
  expect(renderDocument(document, PLAIN_PAGE)).toBe("<p>Secret</p><p>Hello &lt;Ada>!</p>");
});

test("of source that the document has no form for the words are shown, and nothing of comments", () => {
  expect(html("<center>\n\nIn the **middle**\n\n</center>")).toContain("<strong>middle</strong>");
  expect(html("<!-- nobody -->")).toBe("");
  expect(html("a <span>b</span> c")).toBe("<p>a b c</p>");
  expect(html('one<br class="x">two')).toBe("<p>one<br/>two</p>");
});

test("the outline lists the headings of two levels, also those in steps, with their anchors", () => {
  const markdown =
    "## One\n\n#### Deep\n\n{% stepper %}\n{% step %}\n### Step\n{% endstep %}\n{% endstepper %}\n\n> ## Quoted";
  expect(outlineOf(documentOf(markdown))).toEqual([
    { id: "one", title: "One", level: 2 },
    { id: "step", title: "Step", level: 3 },
  ]);
});

test("a page without a description is described by its first sentence of some length", () => {
  expect(summaryOf(documentOf("## A\n\nShort.\n\nThis one says what the page is about."))).toBe(
    "This one says what the page is about.",
  );
  expect(summaryOf(documentOf("word ".repeat(100)), 20)).toBe("word word word…");
});
