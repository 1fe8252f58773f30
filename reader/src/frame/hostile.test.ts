import { renderHtml } from "@octavo/html/render";
import { HOSTILE } from "@octavo/html/testing/hostile";
import { elementsOf } from "@octavo/html/testing/structure";
import { withAnchors } from "@octavo/markdown/document/anchors";
import { block, leaf, paragraph, textNode } from "@octavo/markdown/document/nodes";
import { expect, test } from "vitest";
import { readAssets } from "../assets/assets.js";
import { factsOf } from "../drawing/facts.js";
import { inputFor } from "../drawing/input.js";
import { drawDocument } from "../drawing/tasks.js";
import { llmsText, sitemapXml } from "../formats/lists.js";
import { rssOf } from "../formats/rss.js";
import type { LoadedPage } from "../pages/page.js";
import { linksOn, NOTHING_REFERRED, type Referred } from "../site/links.js";
import type { Place } from "../site/places.js";
import type { Customization, Site } from "../site/site.js";
import { type File, type Space, spaceFrom } from "../site/space.js";
import { page as pageShape } from "../testing.js";
import { wordsIn } from "../words/index.js";
import { feedbackThanks } from "./feedback-form.js";
import { notFoundHtml, pageHtml } from "./page.js";
import { policyOf } from "./policy.js";
import { printHtml } from "./print.js";
import { resultsPart, searchHtml } from "./search.js";
import { sourceHash } from "./theme.js";

// Every text from somebody else, in every place of a page of a site: what comes out are our elements, whatever it is.

const assets = readAssets().below("/sites/");
const both = (text: string) => ({ light: text, dark: text });

/** A look of which every text is the same. The service refuses most of them; nothing here relies on that. */
function customizationSaying(text: string): Customization {
  const to = { kind: "url" as const, url: text };
  const link = { title: text, to };
  const font = {
    id: text,
    custom: true,
    fontFamily: text,
    fontFaces: [
      { weight: 400, sources: [{ url: `https://fonts.example/${text}`, format: "woff2" as const }] },
    ],
  };
  return {
    title: text,
    styling: {
      theme: "bold",
      corners: "rounded",
      depth: "flat",
      links: "accent",
      background: "match",
      icons: "solid",
      primaryColor: both(text),
      infoColor: both(text),
      successColor: both(text),
      warningColor: both(text),
      dangerColor: both(text),
      tint: { color: both(text) },
      font,
      monospaceFont: font,
      search: "prominent",
      sidebar: { background: "filled", list: "line" },
    },
    internationalization: { locale: "en" },
    favicon: { icon: both(text) },
    header: {
      preset: "custom",
      logo: both(text),
      backgroundColor: both(text),
      linkColor: both(text),
      links: [
        { ...link, links: [link], style: "button-primary" },
        { ...link, links: [] },
      ],
    },
    footer: { logo: both(text), groups: [{ title: text, links: [link] }], copyright: text },
    announcement: { enabled: true, message: text, link, style: "danger" },
    themes: { default: "dark", toggeable: true },
    pdf: { enabled: true },
    feedback: { enabled: true },
    ai: { mode: "none" },
    advancedCustomization: { enabled: true },
    git: { showEditLink: true },
    pageActions: { externalAI: true, markdown: true },
    externalLinks: { target: "blank" },
    pagination: { enabled: true },
    trademark: { enabled: true },
    privacyPolicy: { url: text },
    socialPreview: { url: text },
    insights: { trackingCookie: true },
    // Cast: a look as the service would never let it be.
  } as unknown as Customization;
}

const place = {
  space: "s",
  site: "i",
  siteBase: "/sites/a/",
  base: "/sites/a/",
  isPrivate: false,
  siteSpace: "p",
  canonical: "https://octavo.test/sites/a/",
  siteCanonical: "https://octavo.test/sites/a/",
} as Place;

function siteSaying(text: string): Site {
  const link = { title: text, href: "/sites/a/", icon: text, current: true };
  const space = { ...link, id: text, space: "s", revision: "r", canonical: place.canonical, language: "en" };
  return {
    version: text,
    freshUntil: 0,
    title: text,
    visibility: "public",
    newTab: true,
    customization: customizationSaying(text),
    language: "en",
    words: wordsIn("en"),
    spoken: "en",
    sections: [link, link],
    variants: [space, space],
    spaces: [space],
  };
}

/** A space whose second page has the same text everywhere, and what is drawn of that page. */
function pageSaying(text: string, site: Site) {
  const shape = { ...pageShape(`p/${text}`, text), description: text, emoji: text, icon: text };
  const file = {
    id: "f",
    name: text,
    hash: "h".repeat(43),
    contentType: "image/png",
    size: 3,
  } as unknown as File;
  const cover = { ref: { kind: "file", file: "f" }, yPos: 0 };
  const space: Space = spaceFrom("k", { files: [file], pages: [pageShape("home", "Home"), shape, shape] });
  const entry = space.order[1]!;
  const words = [textNode([leaf(text.replaceAll("\n", " "))])];
  const document = withAnchors({
    object: "document",
    data: {},
    nodes: [
      block("heading-1", {}, words),
      block("heading-1", {}, words),
      paragraph(words),
      block("images", {}, [block("image", { ref: cover.ref, alt: text }, [])]),
      block("file", { ref: cover.ref }, []),
      block("updates", {}, [
        block("update", { date: "2026-01-31" }, [block("heading-1", {}, words), paragraph(words)]),
      ]),
    ],
  });
  const referred: Referred<Space> = { spaces: new Map(), reusables: new Map() };
  const json = JSON.stringify(document);
  const facts = factsOf(document);
  const html = drawDocument(inputFor({ place, site, space, json, facts, referred }, 500), document);
  const { outline, summary } = facts;
  const links = linksOn(place, site, space, NOTHING_REFERRED);
  const shown = { ...shape, cover };
  const loaded = { entry, shown, json, html, outline, summary, servers: [text], links, edit: text };
  return { space, document, loaded: loaded as unknown as LoadedPage, links };
}

/** Everything that is sent of a site on which every text is the same. */
async function allSaying(text: string): Promise<Record<string, string>> {
  const site = siteSaying(text);
  const { space, loaded, links } = pageSaying(text, site);
  const given = { place, site, space, assets, customizationLinks: links };
  const found = [
    {
      title: text,
      href: "/sites/a/x",
      canonical: "https://docs.example/x",
      above: [text],
      body: text,
      sections: [{ title: text, href: "#x", body: text }],
    },
  ];
  const variants = [1, 2].map((number) => ({
    title: text,
    href: "/sites/a/",
    current: number === 1,
    same: { canonical: place.canonical, language: number === 1 ? "en" : "de" },
  }));
  const searched = {
    site,
    assets,
    links,
    home: "/sites/a/",
    sidebar: undefined,
    found,
    query: text,
    inSection: true,
  };
  return {
    page: pageHtml(given, loaded, variants),
    lost: notFoundHtml(given, space.order),
    search: searchHtml({ ...searched, action: "/sites/a/~octavo/search" }),
    part: resultsPart(site, found, text),
    print: await printed({
      site,
      assets,
      title: text,
      next: "?from=100",
      load: async () => loaded,
      entries: [loaded, loaded].map(({ entry }) => ({ entry, href: "/sites/a/x" })),
    }),
    thanks: renderHtml(
      feedbackThanks({ action: "/", page: text, rating: "bad", commented: false, words: site.words }),
    ),
  };
}

async function printed(print: Parameters<typeof printHtml>[0]): Promise<string> {
  const texts: string[] = [];
  for await (const text of printHtml(print)) texts.push(text);
  return texts.join("");
}

const ADDRESSES = ["href", "src", "action", "formaction", "poster", "data-embed", "data-copy-page"];
const SCHEMES = ["http:", "https:", "mailto:", "tel:"];

/** What of HTML is not ours: elements, attributes and addresses that nobody here writes. */
function wrongIn(html: string, plain: Set<string>): string[] {
  return elementsOf(html).flatMap(({ name, attrs }) => {
    const wrong = plain.has(name) ? [] : [`element ${name}`];
    for (const [attribute, value] of Object.entries(attrs)) {
      if (!plain.has(`${name} ${attribute}`)) wrong.push(`${name} ${attribute}`);
      if (!ADDRESSES.includes(attribute)) continue;
      const { protocol } = new URL(value, "https://page.invalid/");
      const isIcon = name === "link" && attrs.rel === "icon" && value.startsWith("data:image/svg+xml,%3Csvg");
      if (!SCHEMES.includes(protocol) && !isIcon) wrong.push(`${name} ${attribute}=${value}`);
    }
    return wrong;
  });
}

/** What pages are made of where nobody means harm. */
const known = new Set(
  (await Promise.all(["words", "https://a.example/b.png"].map(allSaying))).flatMap((said) =>
    Object.values(said).flatMap((html) =>
      elementsOf(html).flatMap(({ name, attrs }) => [
        name,
        ...Object.keys(attrs).map((one) => `${name} ${one}`),
      ]),
    ),
  ),
);

test("400 hostile texts in every place of a site make no element, attribute or address of theirs on any of its pages", async () => {
  const wrong: string[] = [];
  for (const text of HOSTILE)
    for (const [kind, html] of Object.entries(await allSaying(text)))
      for (const what of wrongIn(html, known)) wrong.push(`${kind} of ${JSON.stringify(text)}: ${what}`);
  expect(wrong).toEqual([]);
});

test("whatever a customization contains, its style is one text that the policy allows, and nothing else runs or styles a page", async () => {
  for (const text of HOSTILE) {
    const { page = "" } = await allSaying(text);
    const policy = policyOf(customizationSaying(text), [text]);
    expect(policy, text).not.toMatch(/[\r\n]|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(
      policy.split("; ").map((one) => one.split(" ", 1)[0]),
      text,
    ).toHaveLength(12);
    const inline = [...page.matchAll(/<(script|style)>(.*?)<\/\1>/gs)].map(([, , code = ""]) => code);
    expect(inline, text).toHaveLength(3);
    for (const code of inline) expect(policy.includes(sourceHash(code)), text).toBe(true);
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
    expect(JSON.stringify(JSON.parse(json)), text).toContain("TechArticle");
  }
});

test("400 hostile texts make no line, link or element of theirs in the lists for machines", () => {
  for (const text of HOSTILE) {
    const site = siteSaying(text);
    const { space, document } = pageSaying(text, site);
    const listed = { place, site, space };
    const lines = llmsText(listed).split("\n");
    expect(
      lines.filter((line) => line.startsWith("#")),
      text,
    ).toHaveLength(2);
    expect(
      lines.filter((line) => line.startsWith("- [")),
      text,
    ).toHaveLength(space.order.length);
    for (const xml of [
      sitemapXml(listed),
      rssOf(document, { title: text, description: text, url: place.canonical })!,
    ]) {
      const names = [...xml.matchAll(/<\/?([^\s>]+)/g)].map(([, name]) => name);
      expect(
        names.filter((name) => !XML.has(name!)),
        text,
      ).toEqual([]);
      expect(xml.replace(/&(?:amp|lt|gt|quot|apos);/g, ""), text).not.toContain("&");
    }
  }
});

const XML = new Set(
  "?xml urlset url loc lastmod rss channel title link description item guid pubDate".split(" "),
);
