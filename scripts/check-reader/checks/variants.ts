import { elementsOf } from "@octavo/html/testing/structure";
import type { Page } from "playwright-core";
import { eventually } from "../../../tests/harness/client.js";
import { type Check, eachOf, type Report, sampleOf, textAt, visit } from "../check.js";
import type { Lab } from "../lab.js";
import { type Site, writeSpace } from "../site.js";

const fence = "```";

/** Three editions: two versions in one language, and another language that is written from right to left. */
const EDITIONS = [
  {
    title: "Version 1",
    language: "en",
    pages: { start: "Hello.", "set-up": "Set it up.", "only-here": "Once." },
  },
  { title: "Version 2", language: "en", pages: { start: "Hello again.", "set-up": "Set it up anew." } },
  {
    title: "العربية",
    language: "ar",
    pages: {
      start: "مرحبا",
      "set-up": `## خطوات\n\nنص مع \`code\`.\n\n${fence}js\nrun("a", 1);\n${fence}\n\n| أ | ب |\n| - | - |\n| ١ | ٢ |`,
    },
  },
] as const;

export const variants: Check = {
  name: "variants: a switch stays on the page where there is one; canonical and hreflang; right to left mirrored, code not",
  async run({ sites, lab, browser }, report) {
    const { fail, note } = report;
    const addresses = await publishEditions(lab);
    await saysWhereItIs(addresses, report);
    for (const [at, edition] of addresses.entries())
      await visit(browser, `${edition}set-up`, async (page) => {
        const expected = EDITIONS[at]!.language === "ar" ? "rtl" : "ltr";
        for (const what of await mirrored(page)) if (what !== expected) fail(`${edition}set-up is ${what}`);
      });
    await visit(browser, `${addresses[0]}set-up`, async (page) => {
      await page.locator(".variants summary").click();
      await page.locator(".variants a[hreflang=ar]").click();
      await page.waitForURL(`${addresses[2]}set-up`);
      if ((await page.locator("html").getAttribute("dir")) !== "rtl")
        fail("Arabic is not from right to left");
      const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (wide) fail("a page from right to left scrolls sideways");
    });
    await visit(
      browser,
      `${addresses[0]}set-up`,
      async (page) => {
        await page.locator(".variants summary").click();
        await page.locator(".variants a").nth(1).click();
        await page
          .waitForURL(`${addresses[1]}set-up`, { timeout: 10_000 })
          .catch(() => fail(`without scripts another version is ${page.url()}`));
      },
      { javaScriptEnabled: false },
    );
    if (sites.length > 1) note(await betweenFolders(sites, lab, report));
  },
};

/** What of a page goes in which direction; code goes from left to right in every one. */
function mirrored(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const directions = [box("main").left > box(".side").left ? "ltr" : "rtl"];
    directions.push(getComputedStyle(document.querySelector("main p")).direction);
    for (const code of document.querySelectorAll("main pre")) {
      const { direction, textAlign } = getComputedStyle(code);
      if (direction !== "ltr" || textAlign !== "left") directions.push("with code that is " + direction);
    }
    return directions;
  })()`);
}

/** Publishes the editions as variants of one site; their addresses. */
async function publishEditions({ call, make, organization }: Lab): Promise<string[]> {
  const spaces: string[] = [];
  for (const { title, language, pages } of EDITIONS) {
    const written = Object.entries(pages).map(([slug, markdown]) => ({
      title: `${title} ${slug}`,
      slug,
      markdown,
    }));
    spaces.push(await writeSpace({ make, organization }, { title, language, pages: written }));
  }
  return publishVariants({ call, make, organization }, "Editions", spaces);
}

/** Publishes spaces as the variants of a site of their own; the address of each. */
async function publishVariants(
  { call, make, organization }: Pick<Lab, "call" | "make" | "organization">,
  title: string,
  [first, ...others]: string[],
): Promise<string[]> {
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title, spaces: [first] });
  const path = `/orgs/${organization}/sites/${id}`;
  for (const spaceId of others) await make("POST", `${path}/site-spaces`, { spaceId });
  await make("POST", `${path}/publish`);
  const { body } = await call<{ items: { urls: { published: string } }[] }>("GET", `${path}/site-spaces`);
  const found = body.items.map(({ urls }) => urls.published);
  for (const address of found) await eventually(async () => (await fetch(address)).status === 200, 30_000);
  return found;
}

const linksTo = (html: string, rel: string) =>
  elementsOf(html).filter(({ name, attrs }) => name === "link" && attrs.rel === rel);
const variantsOn = (html: string) => /<details class="variants">.*?<\/details>/s.exec(html)?.[0] ?? "";

/** Canonical addresses, languages, and the addresses of the same page elsewhere, which name each other. */
async function saysWhereItIs(addresses: string[], { fail }: Report): Promise<void> {
  const [one, two, arabic] = addresses as [string, string, string];
  for (const [at, address] of addresses.entries()) {
    const html = await textAt(`${address}set-up?utm_source=a`);
    const canonical = linksTo(html, "canonical").map(({ attrs }) => attrs.href);
    if (canonical.join() !== `${address}set-up`) fail(`${address}set-up is canonical at ${canonical}`);
    const { language } = EDITIONS[at]!;
    if (!html.includes(`<html lang="${language}"`))
      fail(`${address}set-up does not say that it is ${language}`);
    const same = linksTo(html, "alternate").filter(({ attrs }) => attrs.hreflang !== undefined);
    const found = same.map(({ attrs }) => `${attrs.hreflang} ${attrs.href}`).toSorted();
    const english = at === 1 ? two : one;
    const expected = [`ar ${arabic}set-up`, `en ${english}set-up`];
    if (found.join() !== expected.join()) fail(`${address}set-up is in other languages at ${found}`);
    const hrefs = elementsOf(variantsOn(html)).flatMap(({ attrs }) => attrs.href ?? []);
    const leads = hrefs.map((href) => new URL(href, address).href);
    const pages = addresses.map((other) => `${other}set-up`);
    if (leads.join() !== pages.join()) fail(`the switch of ${address}set-up leads to ${leads}`);
  }
  const alone = await textAt(`${one}only-here`);
  const hrefs = elementsOf(variantsOn(alone)).flatMap(({ attrs }) => attrs.href ?? []);
  const leads = hrefs.map((href) => new URL(href, one).href);
  if (leads.join() !== [`${one}only-here`, two, arabic].join())
    fail(`a page that is in one edition alone leads to ${leads}`);
  if (linksTo(alone, "alternate").some(({ attrs }) => attrs.hreflang))
    fail("hreflang names what is not there");
}

/** All folders as variants of one site: from each page to the same one of the others, where they have it. */
async function betweenFolders(sites: Site[], lab: Lab, { fail }: Report): Promise<string> {
  const addresses = await publishVariants(
    lab,
    "All folders",
    sites.map(({ space }) => space),
  );
  const paths = sites.map(({ pages }) => new Set(pages.slice(1).map(({ path }) => path.toLowerCase())));
  let [same, first] = [0, 0];
  for (const [at, site] of sites.entries())
    await eachOf(sampleOf(site.pages, 60).slice(1), async ({ path }) => {
      const encoded = path.split("/").map(encodeURIComponent).join("/");
      const html = await textAt(addresses[at]! + encoded);
      const hrefs = elementsOf(variantsOn(html)).flatMap(({ attrs }) => attrs.href ?? []);
      for (const [other, address] of addresses.entries()) {
        const to = new URL(hrefs[other] ?? "none", address).href;
        const has = paths[other]!.has(path.toLowerCase());
        if (has) same += 1;
        else first += 1;
        const expected = has ? new URL(encoded, address).href : address;
        if (to.toLowerCase() !== expected.toLowerCase()) fail(`${addresses[at]}${encoded} leads to ${to}`);
        const { status, body } = await fetch(to, { redirect: "manual" });
        await body?.cancel();
        if (status !== 200) fail(`${addresses[at]}${encoded} leads to ${to}, which is ${status}`);
      }
    });
  return `between folders ${same} switches lead to the same page, ${first} to the first one`;
}
