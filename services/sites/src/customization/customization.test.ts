import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import { defaultCustomization } from "./defaults.js";
import { changedBy, isAdvanced, overriddenBy } from "./overrides.js";
import type { SiteCustomizationSettings } from "./schema.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function newSite(titles = ["Guide", "Version 2"]) {
  const api = await service.as({ acme: "create" });
  const spaces = titles.map((title) => service.content.space({ organization: "acme", title }));
  const site = await api.sites.create({ organizationId: "acme", spaces: spaces.map(({ id }) => id) });
  const one = { organizationId: "acme", siteId: site.id };
  const { items } = await api.siteSpaces.list(one);
  return { api, one, spaces, siteSpaces: items };
}

const both = (value: string) => ({ light: value, dark: value });
const page = { kind: "page", page: "welcome", space: "guide" } as const;
const links = [{ title: "Start", to: page }];

/** A look that has nothing of the default one. */
const full: SiteCustomizationSettings = {
  title: "Handbook of Acme",
  styling: {
    theme: "bold",
    primaryColor: both("#123"),
    tint: { color: both("#aabbcc") },
    infoColor: both("#111111"),
    successColor: both("#222222"),
    warningColor: both("#333333"),
    dangerColor: { light: "#444444", dark: "#555555" },
    corners: "circular",
    depth: "flat",
    links: "accent",
    font: {
      id: "font_1",
      custom: true,
      fontFamily: "Acme Sans",
      fontFaces: [
        { weight: 400, sources: [{ url: "https://fonts.example.com/acme.woff2", format: "woff2" }] },
      ],
    },
    monospaceFont: "FiraCode",
    background: "match",
    icons: "duotone",
    sidebar: { background: "filled", list: "pill" },
    search: "prominent",
  },
  internationalization: { locale: "pt-br" },
  favicon: { icon: both("https://example.com/icon.png") },
  header: {
    preset: "custom",
    logo: both("https://example.com/logo.svg"),
    backgroundColor: both("#fff"),
    linkColor: both("#000"),
    links: [
      { title: "Menu", style: "button-primary", to: null, links, condition: "visitor.claims.beta == true" },
      { title: "Site", to: { kind: "url", url: "https://example.com" }, links: [] },
    ],
  },
  footer: {
    logo: both("https://example.com/small.svg"),
    groups: [{ title: "More", links }],
    copyright: "© Acme",
  },
  announcement: { enabled: true, message: "News", link: links[0], style: "warning" },
  themes: { default: "dark", toggeable: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  ai: { mode: "integration", integrationId: "helper" },
  advancedCustomization: { enabled: false },
  git: { showEditLink: true },
  pageActions: { externalAI: false, markdown: false },
  externalLinks: { target: "blank" },
  pagination: { enabled: false },
  trademark: { enabled: false },
  privacyPolicy: { url: "https://example.com/privacy" },
  socialPreview: { url: "https://example.com/preview.png" },
  insights: { trackingCookie: false },
};

test("GET …/customization of a site that nobody has changed is the default look, with the title of the site", async () => {
  const { api, one } = await newSite();
  expect(await api.customization.get(one)).toEqual(defaultCustomization("Guide"));
  expect(await api.customization.get({ ...one, unmasked: true })).toEqual(defaultCustomization("Guide"));
  await api.sites.update({ ...one, title: "Handbook" });
  expect(await api.customization.get(one)).toEqual(defaultCustomization("Handbook"));
});

test("PUT …/customization stores every field, and the published profile shows it", async () => {
  const { api, one } = await newSite();
  await api.publishing.publish(one);
  expect(await api.customization.update({ ...one, ...full })).toEqual(full);
  expect(await api.customization.get(one)).toEqual(full);
  const published = await api.publishing.getPublished(one);
  expect(published.customizations).toEqual({ site: full, siteSpaces: {} });
});

test("PUT …/customization replaces what was set before, and takes the title of the site where none is given", async () => {
  const { api, one } = await newSite();
  await api.customization.update({ ...one, ...full });
  const { title: _, ...plain } = defaultCustomization("");
  expect(await api.customization.update({ ...one, ...plain })).toEqual(defaultCustomization("Guide"));
  expect(await api.customization.get(one)).toEqual(defaultCustomization("Guide"));
});

const link = (url: string) => ({ title: "Link", to: { kind: "url", url } });
const header = (item: object) => ({
  header: { preset: "default", links: [{ title: "Link", to: null, links: [], ...item }] },
});
const styled = (styling: object) => ({ styling: { ...full.styling, ...styling } });
test.each<[string, object, string]>([
  ["an unknown theme", styled({ theme: "dark" }), "styling.theme"],
  [
    "a colour by name",
    styled({ primaryColor: { light: "red", dark: "#000" } }),
    "styling.primaryColor.light",
  ],
  [
    "a colour with four digits",
    styled({ primaryColor: { light: "#1234", dark: "#123" } }),
    "styling.primaryColor.light",
  ],
  ["half of a colour", styled({ tint: { color: { light: "#000" } } }), "styling.tint.color.dark"],
  ["an unknown font", styled({ font: "Comic Sans" }), "styling.font"],
  ["a font that is no code's", styled({ monospaceFont: "Inter" }), "styling.monospaceFont"],
  ["an unknown language", { internationalization: { locale: "xx" } }, "internationalization.locale"],
  ["a favicon of two kinds", { favicon: { emoji: "🚀", icon: both("https://e.com/i") } }, "favicon"],
  ["a favicon that is no emoji", { favicon: { emoji: "rocket" } }, "favicon"],
  [
    "an icon that runs",
    { favicon: { icon: { light: "javascript:alert(1)", dark: "https://e.com/i" } } },
    "favicon",
  ],
  [
    "a logo of data",
    { footer: { groups: [], logo: { light: "data:image/png;base64,AA", dark: "https://e.com/i" } } },
    "footer.logo.light",
  ],
  ["a link that runs", header({ links: [link("javascript:alert(1)")] }), "header.links.0.links.0.to.url"],
  [
    "a link hidden by a tab",
    header({ links: [link("java\tscript:alert(1)")] }),
    "header.links.0.links.0.to.url",
  ],
  ["a link to another host", header({ to: { kind: "url", url: "//evil.example" } }), "header.links.0.to.url"],
  ["a link of two slashes", header({ to: { kind: "url", url: "/\\evil.example" } }), "header.links.0.to.url"],
  ["a link to nothing", header({ to: { kind: "nowhere" } }), "header.links.0.to.kind"],
  ["a condition that is none", header({ condition: "visitor.claims.x ==" }), "header.links.0.condition"],
  ["a condition that assigns", header({ condition: "a = 1" }), "header.links.0.condition"],
  ["a long condition", header({ condition: "a".repeat(1025) }), "header.links.0.condition"],
  ["a long title", { footer: { groups: [{ title: "x".repeat(129), links: [] }] } }, "footer.groups.0.title"],
  ["a long copyright", { footer: { groups: [], copyright: "x".repeat(301) } }, "footer.copyright"],
  [
    "many links",
    { header: { preset: "default", links: Array(101).fill(full.header.links[1]) } },
    "header.links",
  ],
  [
    "an announcement of a letter",
    { announcement: { ...full.announcement, message: "x" } },
    "announcement.message",
  ],
  ["an integration without a name", { ai: { mode: "integration" } }, "ai.integrationId"],
  ["a flag in words", { pdf: { enabled: "yes" } }, "pdf.enabled"],
  ["no styling", { styling: undefined }, "styling"],
  ["an address without a scheme", { privacyPolicy: { url: "example.com" } }, "privacyPolicy.url"],
])("PUT …/customization with %s is 400 with its place, and changes nothing", async (_, change, place) => {
  const { api, one } = await newSite([]);
  const written = api.customization.update({ ...one, ...full, ...change } as never);
  const { code, details } = describe(await written.catch((error: unknown) => error));
  expect([code, details.issues?.map(({ path }) => path)]).toEqual(["BAD_REQUEST", [place]]);
  expect(await api.customization.get(one)).toEqual(defaultCustomization("Docs"));
});

test("a custom font is refused whose name would leave its style sheet", async () => {
  const { api, one } = await newSite([]);
  const font = { ...(full.styling.font as object), fontFamily: 'x"; } body { display: none' };
  await expect(
    api.customization.update({ ...one, ...full, ...styled({ font }) } as never),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a condition over a claim that is different for every visitor is 400 with its place", async () => {
  const { api, one, siteSpaces } = await newSite();
  const properties = {
    name: { type: "string" as const, description: "Their name" },
    beta: { type: "boolean" as const, description: "Whether they test" },
  };
  const jsonSchema = { type: "object" as const, properties, additionalProperties: false as const };
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  const links = ["visitor.claims.beta", 'visitor.claims.name == "Ada"'].map((condition) => ({
    title: "Link",
    to: null,
    links: [],
    condition,
  }));
  const change = { header: { ...full.header, links } };
  for (const write of [
    () => api.customization.update({ ...one, ...full, ...change }),
    () => api.siteSpaceCustomization.update({ ...one, siteSpaceId: siteSpaces[0]!.id, ...change }),
  ]) {
    const { code, details } = describe(await write().catch((error: unknown) => error));
    expect([code, details.issues?.map(({ path }) => path)]).toEqual([
      "BAD_REQUEST",
      ["body.header.links.1.condition"],
    ]);
  }
  const known = { header: { ...full.header, links: links.slice(0, 1) } };
  expect(await api.customization.update({ ...one, ...full, ...known })).toEqual({ ...full, ...known });
});

test("…/customization is 404 for strangers and unknown sites, 403 for guests, and PUT for readers", async () => {
  const { api, one } = await newSite([]);
  for (const [roles, reading, writing] of [
    [{ beta: "admin" }, "NOT_FOUND", "NOT_FOUND"],
    [{ acme: null }, "FORBIDDEN", "FORBIDDEN"],
    [{ acme: "review" }, undefined, "FORBIDDEN"],
  ] as const) {
    const caller = await service.as(roles);
    const read = caller.customization.get(one);
    if (reading) await expect(read).rejects.toMatchObject({ code: reading });
    else expect(await read).toEqual(defaultCustomization("Docs"));
    const written = caller.customization.update({ ...one, ...full });
    await expect(written).rejects.toMatchObject({ code: writing });
  }
  const elsewhere = { ...one, siteId: "site_x" };
  await expect(api.customization.get(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(api.customization.update({ ...elsewhere, ...full })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("PATCH …/site-spaces/{siteSpaceId}/customization overrides field by field, null takes it back", async () => {
  const { api, one, siteSpaces } = await newSite();
  const [first, second] = siteSpaces;
  const variant = { ...one, siteSpaceId: second!.id };
  await api.customization.update({ ...one, ...full });
  const patched = await api.siteSpaceCustomization.update({
    ...variant,
    title: "Version two",
    styling: { theme: "muted", sidebar: { list: "line" } },
    header: { links: [] },
    favicon: { emoji: "🚀" },
    announcement: { enabled: false, message: "Old", style: "info" },
  });
  const expected = {
    ...full,
    title: "Version two",
    styling: { ...full.styling, theme: "muted", sidebar: { background: "filled", list: "line" } },
    header: { ...full.header, links: [] },
    favicon: { emoji: "🚀" },
    announcement: { enabled: false, message: "Old", style: "info" },
  };
  expect(patched).toEqual(expected);
  expect(await api.siteSpaceCustomization.get(variant)).toEqual(expected);
  expect(await api.siteSpaceCustomization.get({ ...variant, siteSpaceId: first!.id })).toEqual(full);

  const restored = await api.siteSpaceCustomization.update({
    ...variant,
    title: null,
    styling: { sidebar: { list: null } },
    favicon: null,
    announcement: null,
  });
  expect(restored).toEqual({
    ...full,
    styling: { ...full.styling, theme: "muted" },
    header: { ...full.header, links: [] },
  });
  // What the site changes shows through where nothing is overridden.
  await api.customization.update({ ...one, ...full, footer: { groups: [] } });
  expect(await api.siteSpaceCustomization.get(variant)).toMatchObject({
    footer: { groups: [] },
    styling: { theme: "muted" },
  });
  await api.siteSpaceCustomization.remove(variant);
  await api.siteSpaceCustomization.remove(variant);
  expect(await api.siteSpaceCustomization.get(variant)).toEqual({ ...full, footer: { groups: [] } });
});

test("the published profile has the looks of the site spaces that differ and that the caller may read", async () => {
  const { api, one, siteSpaces, spaces } = await newSite(["Guide", "Version 2", "Secret"]);
  await api.publishing.publish(one);
  for (const { id } of siteSpaces.slice(1))
    await api.siteSpaceCustomization.update({ ...one, siteSpaceId: id, styling: { theme: "bold" } });
  spaces[2]!.level = null;
  const reader = await service.as({ acme: "read" });
  const { customizations, structure } = await reader.publishing.getPublished(one);
  expect(Object.keys(customizations.siteSpaces)).toEqual([siteSpaces[1]!.id]);
  expect(customizations.siteSpaces[siteSpaces[1]!.id]).toEqual({
    ...defaultCustomization("Guide"),
    styling: { ...defaultCustomization("").styling, theme: "bold" },
  });
  expect(structure).toMatchObject({
    structure: [{ hasAdvancedCustomizationFeature: false }, { hasAdvancedCustomizationFeature: true }],
  });
});

test("a site space of another site, one in the trash, and one that the caller may not read are 404", async () => {
  const { api, one, siteSpaces, spaces } = await newSite();
  const other = await newSite();
  const change = { pdf: { enabled: false } };
  spaces[1]!.level = null;
  const ids = ["sitesp_x", other.siteSpaces[0]!.id, siteSpaces[1]!.id];
  for (const siteSpaceId of ids) {
    const variant = { ...one, siteSpaceId };
    const unknown = { code: "NOT_FOUND", message: "Site space: not found" };
    await expect(api.siteSpaceCustomization.get(variant)).rejects.toMatchObject(unknown);
    await expect(api.siteSpaceCustomization.update({ ...variant, ...change })).rejects.toMatchObject(unknown);
    await api.siteSpaceCustomization.remove(variant);
  }
  const variant = { ...one, siteSpaceId: siteSpaces[0]!.id };
  const reader = await service.as({ acme: "review" });
  await expect(reader.siteSpaceCustomization.update({ ...variant, ...change })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await expect(reader.siteSpaceCustomization.remove(variant)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(
    await service.db
      .selectFrom("site_space_customization")
      .selectAll()
      .where("site", "=", one.siteId)
      .execute(),
  ).toEqual([]);
});

test("of what is overridden, logos, footers, themes, semantic colours and icons are advanced", () => {
  expect(isAdvanced({})).toBe(false);
  expect(isAdvanced({ title: "x", styling: { primaryColor: {} }, favicon: { emoji: "x" } })).toBe(false);
  expect(isAdvanced({ favicon: { icon: {} } })).toBe(true);
  expect(isAdvanced({ footer: { copyright: "" } })).toBe(true);
  expect(isAdvanced({ styling: { dangerColor: {} } })).toBe(true);
});

test("what overrides a look and is taken back leaves no trace", () => {
  const change = {
    title: "T",
    styling: { theme: "bold", sidebar: { list: "pill" } },
    footer: { groups: [] },
  };
  const overrides = changedBy({}, change);
  expect(overrides).toEqual(change);
  const back = { title: null, styling: { theme: null, sidebar: { list: null } }, footer: { groups: null } };
  expect(changedBy(overrides, back)).toEqual({});
  expect(overriddenBy(full, changedBy(overrides, back))).toEqual(full);
});
