import { createReaderVerifier } from "@octavo/shared/reader-tokens";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentAt } from "../content/client.js";
import { loseAnswers } from "../testing/lossy.js";
import { testSites } from "../testing/sites.js";
import type { PublishedSiteContent } from "./schema.js";

// What a renderer requests of a large site costs other services no more than of a small one.

const SECTIONS = 40;
const VARIANTS = 5;
/** Requests that one read may send to other services. */
const MOST_CALLS = 3;

let service: Awaited<ReturnType<typeof testSites>>;
/** A way to the content service that notes what is sent. */
let way: Awaited<ReturnType<typeof loseAnswers>>;
beforeAll(async () => {
  service = await testSites();
  way = await loseAnswers(service.content.url, "", 0);
  service.atEnd(async () => void (await way.close()));
});
afterAll(() => service.end());

/** A published site of so many sections with five variants each, one of them with a redirect. */
async function siteOf(sections: number) {
  const api = await service.as({ acme: "create" });
  const space = (title: string) =>
    service.content.space({ organization: "acme", title, paths: { p1: "welcome" } }).id;
  const { id: siteId } = await api.sites.create({ organizationId: "acme" });
  const one = { organizationId: "acme", siteId };
  let last = "";
  for (let at = 0; at < sections; at += 1) {
    const section = await api.sections.create({ ...one, spaceId: space(`Section ${at}`) });
    for (let variant = 1; variant < VARIANTS; variant += 1)
      last = (await api.siteSpaces.add({ ...one, sectionId: section.id, spaceId: space(`V${variant}`) })).id;
  }
  const { urls } = await api.publishing.publish(one);
  const destination = { kind: "site-space" as const, siteSpaceId: last };
  await api.redirects.create({ ...one, source: "/old", destination });
  return { one, root: urls.published! };
}

/** How many requests each read of a renderer sends to content. */
async function callsFor({ one, root }: Awaited<ReturnType<typeof siteOf>>) {
  const content = contentAt({ url: way.url, ownIdentity: service.ownIdentity });
  const stranger = await service.as({ beta: "read" }, { content });
  const counted = async <Result>(read: () => Promise<Result>) => {
    const before = way.requests.length;
    const result = await read();
    return { calls: way.requests.length - before, result };
  };
  const at = (path: string) => counted(() => stranger.urls.resolvePublished({ url: root + path }));
  const [home, page, last, redirect] = [
    await at(""),
    await at("welcome"),
    await at(`section-1/v${VARIANTS - 1}/welcome`),
    await at("old"),
  ];
  expect(redirect.result).toMatchObject({ target: "content" });
  const { apiToken } = home.result as PublishedSiteContent;
  const { caller } = (await createReaderVerifier(service.trustedKeys)(apiToken))!;
  const renderer = service.call(caller, { content, identity: await service.sign(caller) });
  const profile = await counted(() => renderer.publishing.getPublished(one));
  const structure = await counted(() => renderer.structure.get(one));
  return { profile, calls: [home, page, last, redirect, profile, structure].map(({ calls }) => calls) };
}

test("reads of a site with 40 sections and 200 site spaces send as many requests as of a small one, three at most", async () => {
  const [small, large] = [await callsFor(await siteOf(2)), await callsFor(await siteOf(SECTIONS))];
  const { structure } = large.profile.result.structure;
  expect(structure).toHaveLength(SECTIONS);
  expect(structure.flatMap((item) => ("siteSpaces" in item ? item.siteSpaces : []))).toHaveLength(
    SECTIONS * VARIANTS,
  );
  expect(large.calls).toEqual(small.calls);
  expect(Math.max(...large.calls)).toBeLessThanOrEqual(MOST_CALLS);
  expect(Math.min(...large.calls)).toBeGreaterThan(0);
});
