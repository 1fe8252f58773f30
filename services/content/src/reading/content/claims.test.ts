import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { errorBody } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { senderTo } from "@octavo/shared/testing/service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
afterAll(() => t.drop());

const admin = t.as({ acme: "admin" }, { id: "ada" });
const text = `# Guide

For all, <code class="expression">visitor.claims.name ?? "whoever you are"</code>.

{% if visitor.claims.beta %}
For testers.
{% endif %}

{% if visitor.claims.plan == "pro" && !visitor.claims.unsigned.lang %}
For customers.
{% endif %}
`;

type Claims = Record<string, unknown>;

let spaceId: string;
let site: string;
let revision: string;
const pages: Record<string, string> = {};

async function show(conditions?: string[]) {
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: 0,
    spaces: [{ space: spaceId, visibility: "visitor-auth", url: `http://sites.test/${site}/`, conditions }],
  });
}

beforeAll(async () => {
  spaceId = await t.space();
  site = newId("site");
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const insert = async (title: string, more: object = {}) => {
    const change = { operation: "insert_page" as const, title, document: { markdown: text }, ...more };
    await admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change] });
    const { pages: tree } = await admin.changeRequestContent.pages({ spaceId, changeRequestId });
    const all = tree.flatMap((page) => [page, ...("pages" in page ? page.pages : [])]);
    pages[title] = all.find((page) => page.title === title)!.id;
  };
  await insert("Guide");
  await insert("Beta", { condition: "visitor.claims.beta" });
  await insert("Below", { into: pages.Beta });
  await insert("German", { condition: "visitor.claims.unsigned.lang == 'de'" });
  await insert("Not for testers", { condition: "!visitor.claims.beta" });
  await insert("Broken", { condition: "visitor.claims.a.b.c" });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  ({ revision } = await admin.spaces.get({ spaceId }));
  await show();
});

const reader = (claims?: Claims): ReaderCaller => ({
  kind: "reader",
  organization: "acme",
  site,
  epoch: 0,
  space: spaceId,
  revision,
  token: newId(),
  claims,
});
const visitor = (claims?: Claims) => t.call(reader(claims));

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );

/** What a visitor sees, by every way to see it. */
async function seen(claims?: Claims): Promise<string[]> {
  const as = visitor(claims);
  const titlesIn = (tree: Awaited<ReturnType<typeof as.content.pages>>["pages"]): string[] =>
    tree.flatMap((page) => [page.title, ...("pages" in page ? titlesIn(page.pages) : [])]);
  const titles = titlesIn((await as.content.pages({ spaceId })).pages);
  expect(titlesIn((await as.content.revision({ spaceId })).pages)).toEqual(titles);
  expect(titlesIn((await as.revisionContent.pages({ spaceId, revisionId: revision })).pages)).toEqual(titles);
  for (const [title, pageId] of Object.entries(pages)) {
    const status = titles.includes(title) ? 200 : 404;
    const pagePath = title === "Below" ? "beta/below" : title.toLowerCase().replaceAll(" ", "-");
    const ways = [
      as.content.page({ spaceId, pageId }),
      as.content.page({ spaceId, pageId, format: "document" }),
      as.content.pageDocument({ spaceId, pageId }),
      as.content.pageAtPath({ spaceId, pagePath }),
    ];
    expect([title, await Promise.all(ways.map(statusOf))]).toEqual([title, ways.map(() => status)]);
  }
  return titles;
}

test.each<[string, Claims | undefined, string[]]>([
  ["nothing", undefined, ["Guide", "Not for testers"]],
  ["no claim that a condition reads", { plan: "pro" }, ["Guide", "Not for testers"]],
  ["to be a tester", { beta: true }, ["Guide", "Beta", "Below"]],
  ["the opposite", { beta: false }, ["Guide", "Not for testers"]],
  ["a language", { unsigned: { lang: "de" } }, ["Guide", "German", "Not for testers"]],
  ["a language in another place", { lang: "de" }, ["Guide", "Not for testers"]],
  ["what lies deep", { a: { b: { c: true } } }, ["Guide", "Not for testers", "Broken"]],
])(
  "a visitor who claims %s is shown the pages for such visitors, and finds no others",
  async (_, claims, titles) => {
    expect(await seen(claims)).toEqual(titles);
  },
);

test("blocks and words of a page follow the claims, as markdown and as a document", async () => {
  const pageId = pages.Guide!;
  const wordsFor = async (claims?: Claims) => {
    const as = visitor(claims);
    const page = await as.content.page({ spaceId, pageId });
    const document = JSON.stringify(await as.content.pageDocument({ spaceId, pageId }));
    const { markdown = "" } = page as { markdown?: string };
    for (const word of ["testers", "customers", "Ada", "whoever"])
      expect([word, document.includes(word)]).toEqual([word, markdown.includes(word)]);
    return markdown;
  };
  expect(await wordsFor()).toBe("# Guide\n\nFor all, whoever you are.\n");
  expect(await wordsFor({ beta: true, name: "Ada" })).toBe("# Guide\n\nFor all, Ada.\n\nFor testers.\n");
  expect(await wordsFor({ plan: "pro", unsigned: {} })).toContain("For customers.");
  expect(await wordsFor({ plan: "pro", unsigned: { lang: "de" } })).not.toContain("For customers.");
});

test("a tag is valid for visitors with the same claims alone, and Vary is authorization", async () => {
  const address = await t.serve(router);
  const base = `/v1/spaces/${spaceId}/revisions/${revision}`;
  const get = (claims: Claims | undefined, path: string, tag?: string) => {
    const send = senderTo(address, () => t.sign(reader(claims)));
    return send("GET", base + path, undefined, tag === undefined ? {} : { "if-none-match": tag });
  };
  for (const path of ["/pages", `/page/${pages.Guide}`, `/page/${pages.Guide}/document`, "/path/guide"]) {
    const tester = await get({ beta: true }, path);
    const tag = tester.headers.get("etag")!;
    expect([tester.status, tester.headers.get("vary")]).toEqual([200, "authorization"]);
    expect((await get({ beta: true }, path, tag)).status).toBe(304);
    for (const claims of [undefined, {}, { beta: false }, { unsigned: { beta: true } }]) {
      const other = await get(claims, path, tag);
      expect([path, claims, other.status]).toEqual([path, claims, 200]);
      expect(other.headers.get("etag")).not.toBe(tag);
      expect(other.body).not.toEqual(tester.body);
    }
  }
  const tag = (await get({ beta: true }, `/page/${pages.Beta}`)).headers.get("etag")!;
  const hidden = await get(undefined, `/page/${pages.Beta}`, tag);
  expect([hidden.status, hidden.headers.get("etag")]).toEqual([404, null]);
});
