import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { contentTest } from "../../testing/content.js";
import { processSource } from "../processing/process.js";
import { operation, textOf } from "../testing.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
const organizationId = "acme";

async function specWith(specSlug: string, ...paths: object[]) {
  const one = { organizationId, specSlug };
  for (const each of paths) {
    const { id } = await admin.openapi.createOrUpdate({ ...one, source: { text: textOf(each) } });
    await processSource(t.ctx, id, new AbortController().signal);
  }
  return one;
}

const blockOf = (slug: string) =>
  `{% openapi-operation spec="${slug}" path="/a" method="get" %}\n{% endopenapi-operation %}`;

/** A space whose pages show specifications, on a site, and a visitor of the site. */
async function shownSpace(pages: { markdown: string; condition?: string }[]) {
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const changes = pages.map(({ markdown, condition }, at) => ({
    operation: "insert_page" as const,
    title: `Page ${at}`,
    condition,
    document: { markdown },
  }));
  await admin.changeRequests.edit({ spaceId, changeRequestId, changes });
  await admin.changeRequests.merge({ spaceId, changeRequestId });
  const site = newId("site");
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: organizationId,
    published: true,
    epoch: 0,
    spaces: [{ space: spaceId, visibility: "public", url: "http://sites.test/" }],
  });
  const { revision } = await admin.spaces.get({ spaceId });
  return (over: Partial<ReaderCaller> = {}) =>
    t.call({
      kind: "reader",
      organization: organizationId,
      site,
      epoch: 0,
      space: spaceId,
      revision,
      token: newId(),
      ...over,
    });
}
const NOT_FOUND = { code: "NOT_FOUND" };

test("a visitor reads the document of a specification that a page shows, at its latest version", async () => {
  const one = await specWith("shown", {}, { "/a": { get: operation } });
  const visitor = (await shownSpace([{ markdown: blockOf("shown") }]))();
  const { filesystem } = await visitor.openapiVersions.getLatestContent(one);
  expect(Object.keys(filesystem[0]!.specification.paths as object)).toEqual(["/a"]);
  const { items } = await admin.openapiVersions.list({ ...one, limit: 10 });
  const at = (version: number) =>
    visitor.openapiVersions.getContent({ ...one, versionId: items[version]!.id });
  expect(await at(0)).toMatchObject({ filesystem });
  await expect(at(1)).rejects.toMatchObject(NOT_FOUND);
});

test("a specification that no page of the site shows to the visitor is 404, whoever else may read it", async () => {
  const [hidden, noted, beta, unnamed] = await Promise.all(
    ["hidden", "noted", "beta", "unnamed"].map((slug) => specWith(slug, {})),
  );
  const visitor = await shownSpace([
    { markdown: `{% if visitor.claims.beta %}\n${blockOf("hidden")}\n{% endif %}` },
    { markdown: `<!--\n${blockOf("noted")}\n-->\n\nText` },
    { markdown: blockOf("beta"), condition: "visitor.claims.beta" },
  ]);
  const read = (one: typeof hidden, over: Partial<ReaderCaller> = {}) =>
    visitor(over).openapiVersions.getLatestContent(one!);
  for (const one of [hidden, noted, beta, unnamed]) await expect(read(one)).rejects.toMatchObject(NOT_FOUND);
  const tester = { claims: { beta: true } };
  for (const one of [hidden, beta]) expect(await read(one, tester)).toMatchObject({ filesystem: [{}] });
  for (const over of [{ site: newId("site") }, { organization: "beta" }, { epoch: -1 }])
    await expect(read(hidden, { ...tester, ...over })).rejects.toMatchObject(NOT_FOUND);
  const elsewhere = visitor(tester).openapiVersions.getLatestContent({ ...hidden!, organizationId: "beta" });
  await expect(elsewhere).rejects.toMatchObject(NOT_FOUND);
});
