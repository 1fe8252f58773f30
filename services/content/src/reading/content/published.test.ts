import { errorBody } from "@octavo/shared/errors";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = t.as({ acme: "admin" }, { id: "ada" });
const reader = t.as({ acme: "read" }, { id: "rob" });
const stranger = t.as({ beta: "admin" }, { id: "eve" });
const guest = t.as({ acme: null }, { id: "gus" });

const text = `# Guide

For <!-- note to ourselves -->all.

<!-- another note -->

{% if visitor.claims.beta %}
For testers.
{% endif %}
`;

/** A public space with a page for all, one with a condition, and one below that. */
async function publicSpace() {
  const spaceId = await t.space({
    visibility: "public",
    parent: null,
    git: JSON.stringify({ repoName: "secret" }),
  });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const insert = async (title: string, more: object = {}) => {
    const change = { operation: "insert_page" as const, title, document: { markdown: text }, ...more };
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
    const { pages } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
    const all = pages.flatMap((page) => [page, ...("pages" in page ? page.pages : [])]);
    return all.find((page) => page.title === title)!.id;
  };
  const shown = await insert("Guide");
  const beta = await insert("Beta", { condition: "visitor.claims.beta" });
  const below = await insert("Below", { into: beta });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const draft = await admin.changeRequests.create({ spaceId });
  const { revision: revisionId } = await admin.spaces.get({ spaceId });
  return { spaceId, changeRequestId: draft.id, revisionId, shown, beta, below };
}

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );

test("visitors of a public space see its pages as its site shows them, and who may read it sees them as they are", async () => {
  const { spaceId, shown, beta, below } = await publicSpace();
  for (const visitor of [stranger, guest]) {
    const { pages } = await visitor.content.pages({ spaceId });
    expect(pages.map(({ title }) => title)).toEqual(["Guide"]);
    const page = await visitor.content.page({ spaceId, pageId: shown });
    expect(page).toMatchObject({ title: "Guide", markdown: "# Guide\n\nFor all.\n" });
    const responses = JSON.stringify([
      page,
      await visitor.content.page({ spaceId, pageId: shown, format: "document", evaluated: "false" }),
      await visitor.content.pageAtPath({ spaceId, pagePath: "guide" }),
      await visitor.content.pageDocument({ spaceId, pageId: shown, evaluated: "deterministic-only" }),
    ]);
    expect(responses).toContain("For all.");
    expect(responses).not.toMatch(/note|testers|claims/);
    for (const pageId of [beta, below]) {
      expect(await statusOf(visitor.content.page({ spaceId, pageId }))).toBe(404);
      expect(await statusOf(visitor.content.pageDocument({ spaceId, pageId }))).toBe(404);
    }
    expect(await statusOf(visitor.content.pageAtPath({ spaceId, pagePath: "beta/below" }))).toBe(404);
  }
  expect(await reader.content.page({ spaceId, pageId: shown })).toMatchObject({ markdown: text });
  expect((await reader.content.pages({ spaceId })).pages.map(({ title }) => title)).toEqual([
    "Guide",
    "Beta",
  ]);
  expect(await reader.content.page({ spaceId, pageId: below })).toMatchObject({ title: "Below" });
});

test("visitors see nothing of how a public space comes about", async () => {
  const { spaceId, changeRequestId, revisionId } = await publicSpace();
  const space = await stranger.spaces.get({ spaceId });
  expect(space).toMatchObject({ defaultLevel: null, comments: 0, changeRequests: 0, changeRequestsDraft: 0 });
  expect(space.gitSync).toBeUndefined();
  expect(Object.entries(space.permissions).filter(([, may]) => may)).toEqual([["view", true]]);
  expect((await reader.spaces.get({ spaceId })).changeRequests).toBe(2);
  const refused = [
    stranger.content.revision({ spaceId }),
    stranger.content.files({ spaceId }),
    stranger.changeRequests.list({ spaceId }),
    stranger.changeRequests.get({ spaceId, changeRequestId }),
    stranger.changeRequests.create({ spaceId }),
    stranger.changeRequestContent.pages({ spaceId, changeRequestId }),
    stranger.revisionContent.pages({ spaceId, revisionId }),
    stranger.search.inSpace({ spaceId, query: "testers" }),
    stranger.git.info({ spaceId }),
    stranger.spaceGrants.listUsers({ spaceId } as never),
    stranger.spaces.update({ spaceId, title: "Mine" }),
    stranger.spaces.duplicate({ spaceId }),
    stranger.spaces.list({ organizationId: "acme" }),
  ];
  expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 404));
  expect(await stranger.spaces.lookup({ ids: [spaceId] })).toEqual([]);
});

test("a space in the trash, and one that is no longer public, is gone for visitors", async () => {
  const { spaceId, shown: pageId } = await publicSpace();
  const seen = () =>
    Promise.all([stranger.spaces.get({ spaceId }), stranger.content.page({ spaceId, pageId })].map(statusOf));
  expect(await seen()).toEqual([200, 200]);
  await admin.spaces.remove({ spaceId });
  expect(await seen()).toEqual([404, 404]);
  await admin.spaces.restore({ spaceId });
  // No site shows it, so the restore made it private.
  expect(await seen()).toEqual([404, 404]);
});

const COMMENTED: [written: string, seen: string][] = [
  ["| a <!-- secret --> | b |\n| --- | --- |\n| x <!-- secret --> | y |", "| a"],
  [
    '<table data-view="cards"><thead><tr><th>T <!-- secret --></th></tr></thead><tbody><tr><td>kept <!-- secret --></td></tr></tbody></table>',
    "kept",
  ],
  [
    '<figure><img src="https://a.test/kept.png" alt="x <!-- secret -->"><figcaption>c</figcaption></figure>',
    "kept",
  ],
  [
    '<figure><img src="https://a.test/a.png" alt=""><figcaption><p>kept <!-- secret --></p></figcaption></figure>',
    "kept",
  ],
  ["<div><!-- secret --><p>kept</p></div>", "kept"],
  ["![kept <!-- secret -->](https://a.test/a.png)", "kept"],
  ["<span>kept <!-- secret --></span> and", "kept"],
  ["- item\n\n  <div><!-- secret\n  more --><p>kept</p></div>", "kept"],
  ["<h2>kept <!-- secret --></h2>", "kept"],
  ["`<!-- kept -->` in code", "<!-- kept -->"],
];

test.each(COMMENTED)(
  "no comment of a public space reaches visitors, what stands around it does: %s",
  async (written, seen) => {
    const spaceId = await t.space({ visibility: "public", parent: null });
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const change = {
      operation: "insert_page" as const,
      title: "Guide",
      document: { markdown: `# Guide\n\n${written}\n` },
    };
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
    await admin.changeRequests.merge({ spaceId, changeRequestId });
    const { pages } = await stranger.content.pages({ spaceId });
    const pageId = pages[0]!.id;
    for (const format of ["markdown", "document"] as const) {
      const page = await stranger.content.page({ spaceId, pageId, format });
      const body = JSON.stringify(
        "markdown" in page ? page.markdown : (page as { document: unknown }).document,
      );
      expect(body).toContain(format === "markdown" ? seen : seen.replace("| a", '"title":"a"'));
      expect(body).not.toMatch(/secret|&lt;!/);
    }
    expect(await reader.content.page({ spaceId, pageId })).toMatchObject({
      markdown: `# Guide\n\n${written}\n`,
    });
  },
);

const SOME = "{% if visitor.claims.beta %}";
const CONDITIONAL: [where: string, written: string][] = [
  ["a line of text", `kept ${SOME}secret{% endif %} and`],
  ["a line that begins with it", `kept\n\n${SOME} secret\n\nsecret\n{% endif %}`],
  ["a tag on two lines", "kept\n\n{% if visitor.claims.beta\n%}\n\nsecret\n\n{% endif %}"],
  ["a condition without an end", `kept\n\n${SOME}\n\nsecret\n\n* secret`],
  ["an end that lies elsewhere", `kept\n\n* item\n\n  ${SOME}\n\nsecret\n\n> {% endif %}`],
  ["a heading", `kept\n\n## ${SOME}secret{% endif %} and`],
  ["a cell", `| kept |\n| --- |\n| ${SOME}secret{% endif %} |`],
  ["a head of a table", `| kept ${SOME}secret{% endif %} |\n| --- |\n| a |`],
  [
    "a cell of HTML",
    `<table><thead><tr><th>kept</th></tr></thead><tbody><tr><td>${SOME}secret{% endif %}</td></tr></tbody></table>`,
  ],
  ["a paragraph of HTML", `kept\n\n<p align="center">${SOME}secret{% endif %}</p>`],
  ["HTML of another form", `kept\n\n<section>\n${SOME}\n<b>secret</b>\n{% endif %}\n</section>`],
  [
    "a caption",
    `kept\n\n<figure><img src="https://a.test/a.png" alt="${SOME}secret"><figcaption>${SOME}secret{% endif %}</figcaption></figure>`,
  ],
  [
    "a title",
    `kept\n\n{% tabs %}\n{% tab title="${SOME}secret{% endif %}" %}\na\n{% endtab %}\n{% endtabs %}`,
  ],
  ["words of an image", `kept ![${SOME}secret{% endif %}](https://a.test/a.png)`],
  ["a link", `kept [a ${SOME}secret{% endif %}](https://a.test)`],
  ["a note that stands in it", `kept[^1]\n\n${SOME}\n[^1]: secret\n{% endif %}`],
  ["a note behind one without an end", `kept[^1]\n\n${SOME}\n\n[^1]: secret`],
  [
    "an expression of another form",
    'kept <code class="expression" id="a">visitor.claims.beta ? "secret" : ""</code> and',
  ],
  ["an expression without an end", 'kept <code class="expression">visitor.claims.beta ? "secret" : ""'],
  [
    "an expression in a head",
    '| kept <code class="expression">visitor.claims.beta ? "secret" : ""</code> |\n| --- |\n| a |',
  ],
  [
    "an expression in a link",
    'kept [a <code class="expression">visitor.claims.beta ? "secret" : ""</code>](https://a.test)',
  ],
  [
    "more than is read",
    `kept\n\n${"*\n".repeat(101_000)}\n\na\n\n${SOME}\n\nsecret\n\n{% endif %}`.replace(
      /(\*\n){2500}/g,
      `${"* ".repeat(40)}\n`,
    ),
  ],
  ["a comment with an empty line", "kept\n\n<div><!-- secret\n\nsecret --></div>"],
];

test.each(CONDITIONAL)(
  "content whose condition cannot be resolved reaches no visitor: %s",
  async (_, written) => {
    const spaceId = await t.space({ visibility: "public", parent: null });
    const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
    const document = { markdown: `# Guide\n\n${written}\n` };
    const change = { operation: "insert_page" as const, title: "Guide", document };
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
    await admin.changeRequests.merge({ spaceId, changeRequestId });
    const { pages } = await stranger.content.pages({ spaceId });
    const at = { spaceId, pageId: pages[0]!.id };
    for (const format of ["markdown", "document"] as const) {
      const shown = JSON.stringify(await stranger.content.page({ ...at, format }));
      expect(shown).toContain("kept");
      expect(shown).not.toContain("secret");
      if (!written.includes("<!--"))
        expect(JSON.stringify(await reader.content.page({ ...at, format, evaluated: "true" }))).not.toContain(
          "secret",
        );
    }
    expect(await reader.content.page(at)).toMatchObject(document);
  },
);

test("neither a title nor its slug reveals what stands in a condition to a visitor", async () => {
  const spaceId = await t.space({ visibility: "public", parent: null });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const hidden = `${SOME}secret{% endif %}`;
  const insert = (fields: object, markdown: string) => ({
    operation: "insert_page" as const,
    ...fields,
    document: { markdown },
  });
  const changes = [
    insert({}, `# Plans ${hidden}\n\nkept\n`),
    insert({ title: `Sent ${hidden}`, description: `Described ${hidden}` }, "kept\n"),
    insert({ title: hidden }, "kept\n"),
  ];
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const { pages } = await stranger.content.pages({ spaceId });
  expect(pages.map(({ title }) => title)).toEqual(["Plans", "Sent", "Untitled"]);
  const responses: unknown[] = [pages];
  for (const { id: pageId } of pages) {
    responses.push(await stranger.content.page({ spaceId, pageId, format: "markdown" }));
    responses.push(await stranger.content.page({ spaceId, pageId, format: "document" }));
    responses.push(await reader.content.page({ spaceId, pageId, format: "document", evaluated: "true" }));
  }
  expect(JSON.stringify(responses)).toContain("Described");
  expect(JSON.stringify(responses)).not.toContain("secret");
  expect(await reader.content.page({ spaceId, pageId: pages[1]!.id })).toMatchObject({
    title: `Sent ${hidden}`,
  });
});
