import { PLAIN_PAGE } from "@octavo/html/page";
import type { Html } from "@octavo/html/scope";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { readAssets } from "../../reader/src/assets/assets.js";
import { htmlOf } from "../../reader/src/frame/document.js";
import type { Frame } from "../../reader/src/frame/frame.js";
import { ASSET_POLICY, FRAME_POLICY, policyOf } from "../../reader/src/frame/policy.js";
import { type PrintedPage, printHtml } from "../../reader/src/frame/print.js";
import { STANDING } from "../../reader/src/http/respond.js";
import type { Customization, Site } from "../../reader/src/site/site.js";
import { type Entry, spaceFrom } from "../../reader/src/site/space.js";
import { page } from "../../reader/src/testing.js";
import { wordsIn } from "../../reader/src/words/index.js";

// Pages as the reader draws and sends them, in a browser and without any service: what their scripts do with them.

/** The files that pages load. */
export const assets = readAssets();
const both = (color: string) => ({ light: color, dark: color });

const customization = {
  title: "Pages",
  styling: {
    theme: "clean",
    corners: "rounded",
    depth: "subtle",
    links: "default",
    background: "plain",
    primaryColor: both("#346ddb"),
    infoColor: both("#787878"),
    successColor: both("#00c950"),
    warningColor: both("#fe9a00"),
    dangerColor: both("#fb2c36"),
    search: "subtle",
    icons: "regular",
    font: "Inter",
    monospaceFont: "IBMPlexMono",
    sidebar: { background: "default", list: "default" },
  },
  favicon: {},
  header: { preset: "default", links: [] },
  footer: { groups: [] },
  socialPreview: {},
  themes: { default: "light", toggeable: true },
  externalLinks: { target: "self" },
  trademark: {},
  pageActions: { markdown: true, externalAI: false },
  pdf: { enabled: true },
  privacyPolicy: {},
  // Cast: what pages look at, of a look that has much more.
} as unknown as Customization;

/** A site in English that nobody changed the look of. */
export const plainSite: Site = {
  version: "1",
  freshUntil: 0,
  title: "Pages",
  visibility: "public",
  customization,
  language: "en",
  words: wordsIn("en"),
  spoken: "en",
  newTab: false,
  sections: [],
  variants: [],
  spaces: [],
};

interface Parts extends Pick<Partial<Frame>, "files"> {
  body: string;
  outline?: string;
  sidebar?: string;
}

/** The HTML of a page of that site, around parts that are HTML. */
export const pageWith = ({ body, outline, sidebar, files }: Parts): string =>
  htmlOf({
    site: plainSite,
    assets,
    links: PLAIN_PAGE,
    home: "/",
    title: "Page",
    noIndex: false,
    files,
    search: "/~octavo/search",
    body: asHtml(body),
    outline: asHtml(outline),
    sidebar: asHtml(sidebar),
  });

const asHtml = (html: string | undefined): Html =>
  html === undefined ? undefined : <div dangerouslySetInnerHTML={{ __html: html }} />;

/** A print of pages of that site, of which each has a text that is HTML. */
export async function printOf(texts: string[]): Promise<string> {
  const shapes = texts.map((_, at) => page(`${at}`, `Page ${at}`));
  const entries = spaceFrom("k", { pages: shapes, files: [] }).order.map((entry) => ({
    entry,
    href: undefined,
  }));
  // Cast: what a print takes of a page.
  const load = async ({ id }: Entry) => ({ shown: {}, html: texts[Number(id)] }) as PrintedPage;
  const parts = printHtml({ site: plainSite, assets, title: "Print", entries, load, next: undefined });
  let html = "";
  for await (const part of parts) html += part;
  return html;
}

type Sent = string | { status?: number; text: string };
/** What is at an address: a text, or what decides about a request. */
export type Pages = Record<string, Sent | ((route: Route) => Sent | Promise<Sent>)>;

/** Opens a page of an origin that answers nothing but these pages, and our own files. */
export async function openPage(
  browser: Browser,
  { origin = "https://docs.test", path = "/", pages }: { origin?: string; path?: string; pages: Pages },
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext();
  const errors: string[] = [];
  await context.route("**/*", async (route) => {
    const { origin: of, pathname, search } = new URL(route.request().url());
    const asset = of === origin ? assets.find(pathname.split("/").at(-1)!) : undefined;
    if (asset) {
      const policy = asset.type.startsWith("text/html") ? FRAME_POLICY : ASSET_POLICY;
      const headers = { ...STANDING, "content-security-policy": policy, "content-type": asset.type };
      return route.fulfill({ headers, body: asset.body });
    }
    const found = of === origin ? (pages[pathname + search] ?? pages[pathname]) : pages[of + pathname];
    if (found === undefined) return route.fulfill({ status: 404, body: "" });
    const sent = typeof found === "function" ? await found(route) : found;
    const { status = 200, text } = typeof sent === "string" ? { text: sent } : sent;
    const headers = {
      ...STANDING,
      "content-type": "text/html",
      "content-security-policy": policyOf(customization),
    };
    return route.fulfill({ status, headers, body: text });
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(origin + path);
  return { page, context, errors };
}
