import { afterAll, beforeAll, expect, test } from "vitest";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

type Replaced = Parameters<
  Awaited<ReturnType<(typeof service)["asService"]>>["injectedScripts"]["replace"]
>[0];
let organizations = 0;

/** An organization with two published sites, in the order of their ids, and what is handed down for them. */
async function published() {
  const organization = `scripted-${++organizations}`;
  const api = await service.as({ [organization]: "create" });
  const ids: string[] = [];
  for (let at = 0; at < 2; at++) {
    const { id: space } = service.content.space({ organization });
    const { id } = await api.sites.create({ organizationId: organization, spaces: [space] });
    await api.publishing.publish({ organizationId: organization, siteId: id });
    ids.push(id);
  }
  const [one, other] = ids.toSorted() as [string, string];
  const integrations = await service.asService("integrations");
  const replace = (input: Omit<Replaced, "organization">) =>
    integrations.injectedScripts.replace({ organization, ...input });
  const scriptsOf = async (siteId: string) =>
    (await api.publishing.getPublished({ organizationId: organization, siteId })).scripts;
  const versions = async () =>
    (await sites.byIds(service.contextOf(service.self), [one, other])).map(({ version }) => version);
  /** Which sites had another version after something. */
  const bumpedBy = async (change: () => Promise<unknown>) => {
    const before = await versions();
    await change();
    return (await versions()).map((version, at) => version - before[at]!);
  };
  return { organization, one, other, replace, scriptsOf, bumpedBy };
}
const script = { integration: "counter", cookies: false, everywhere: true };

test("the profile of a site has the scripts that installations put into its pages, by their names", async () => {
  const { one, other, replace, scriptsOf } = await published();
  expect(await scriptsOf(one)).toEqual([]);
  await replace({
    installation: "i1",
    script: { ...script, contentSecurityPolicy: "img-src *", cookies: true },
    places: [],
  });
  await replace({ installation: "i2", script: { ...script, integration: "banner" }, places: [] });
  const address = (name: string, id: string, site: string) =>
    `http://octavo.test/v1/integrations/${name}/installations/${id}/sites/${site}/script`;
  for (const site of [one, other])
    expect(await scriptsOf(site)).toEqual([
      { script: address("banner", "i2", site), cookies: false },
      { script: address("counter", "i1", site), contentSecurityPolicy: "img-src *", cookies: true },
    ]);
  await replace({ installation: "i1", places: [] });
  expect(await scriptsOf(one)).toEqual([{ script: address("banner", "i2", one), cookies: false }]);
});

test("an installation on single sites is on those alone, one on all but where it says otherwise, and none elsewhere", async () => {
  const { one, other, replace, scriptsOf } = await published();
  const stranger = await published();
  const counts = async () =>
    Promise.all([scriptsOf(one), scriptsOf(other), stranger.scriptsOf(stranger.one)]).then((all) =>
      all.map(({ length }) => length),
    );
  const installation = `single-${one}`;
  const places = [
    { site: one, works: true },
    { site: stranger.one, works: true },
  ];
  await replace({ installation, script: { ...script, everywhere: false }, places });
  expect(await counts()).toEqual([1, 0, 0]);
  await replace({ installation, script, places: [{ site: one, works: false }] });
  expect(await counts()).toEqual([0, 1, 0]);
  await replace({ installation, script, places: [] });
  expect(await counts()).toEqual([1, 1, 0]);
});

test("the places of a range take the place of those alone, and sites have another version where their scripts changed", async () => {
  const { one, other, replace, bumpedBy } = await published();
  const installation = `range-${one}`;
  const given = { installation, script: { ...script, everywhere: false } };
  const on = (site: string, works = true) => ({ site, works });
  expect(await bumpedBy(() => replace({ ...given, places: [on(one), on(other)] }))).toEqual([1, 1]);
  expect(await bumpedBy(() => replace({ ...given, places: [on(one), on(other)] }))).toEqual([0, 0]);
  expect(await bumpedBy(() => replace({ ...given, upTo: one, places: [] }))).toEqual([1, 0]);
  expect(await bumpedBy(() => replace({ ...given, above: one, places: [on(other, false)] }))).toEqual([0, 1]);
  expect(await bumpedBy(() => replace({ installation, script, places: [on(other, false)] }))).toEqual([1, 1]);
  expect(await bumpedBy(() => replace({ installation, places: [] }))).toEqual([1, 1]);
  expect(await bumpedBy(() => replace({ installation, places: [] }))).toEqual([0, 0]);
});
