import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import { defaultCustomization } from "./defaults.js";
import type { SiteCustomizationSettings } from "./schema.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const link = (title: string, condition?: string) => ({
  title,
  to: { kind: "url" as const, url: "https://example.com" },
  links: [],
  ...(condition !== undefined && { condition }),
});
const LINKS = [
  link("Home"),
  link("Beta", "visitor.claims.beta"),
  link("Trial", "visitor.claims.unsigned.trial"),
];
const titlesIn = ({ header }: SiteCustomizationSettings) => header.links.map(({ title }) => title);

/** A published site whose site space has a link more, and what the profile and both looks of it name to a visitor. */
async function linkedSite() {
  const api = await service.as({ acme: "create" });
  const space = service.content.space({ organization: "acme", title: "Guide" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme", spaces: [space.id] });
  const one = { organizationId: "acme", siteId };
  const { items } = await api.siteSpaces.list(one);
  const ofSiteSpace = { ...one, siteSpaceId: items[0]!.id };
  const look = defaultCustomization("Docs");
  await api.customization.update({ ...one, ...look, header: { ...look.header, links: LINKS } });
  await api.siteSpaceCustomization.update({
    ...ofSiteSpace,
    header: { links: [...LINKS, link("More", "visitor.claims.beta")] },
  });
  await api.publishing.publish(one);
  async function shownTo(over: Partial<ReaderCaller>) {
    const caller: ReaderCaller = {
      kind: "reader",
      organization: "acme",
      site: siteId,
      epoch: 0,
      space: space.id,
      revision: space.id,
      token: newId(),
      ...over,
    };
    const visitor = await service.call(caller, { identity: await service.sign(caller) });
    const { customizations } = await visitor.publishing.getPublished(one);
    const shown = [customizations.site, customizations.siteSpaces[ofSiteSpace.siteSpaceId]!].map(titlesIn);
    const alone = [
      await visitor.customization.get(one),
      await visitor.siteSpaceCustomization.get(ofSiteSpace),
    ];
    expect(alone.map(titlesIn)).toEqual(shown);
    return shown;
  }
  return { api, one, shownTo };
}

test("visitors are shown the links of the header whose conditions their claims meet, and those without", async () => {
  const { api, one, shownTo } = await linkedSite();
  const nobody = [["Home"], ["Home"]];
  expect(await shownTo({})).toEqual(nobody);
  expect(await shownTo({ claims: { beta: true } })).toEqual([
    ["Home", "Beta"],
    ["Home", "Beta", "More"],
  ]);
  expect(await shownTo({ claims: { unsigned: { beta: true, trial: true } } })).toEqual([
    ["Home", "Trial"],
    ["Home", "Trial"],
  ]);
  expect(await shownTo({})).toEqual(nobody);
  expect(await shownTo({ preview: true, claims: { beta: true } })).toEqual(
    await shownTo({ claims: { beta: true } }),
  );
  expect(titlesIn(await api.customization.get(one))).toEqual(["Home", "Beta", "Trial"]);
  const { customizations } = await api.publishing.getPublished(one);
  expect(titlesIn(customizations.site)).toEqual(["Home", "Beta", "Trial"]);
});
