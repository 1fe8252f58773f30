import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { elementsOf } from "@octavo/html/testing/structure";
import { eventually } from "../../../tests/harness/client.js";
import { type Check, textAt } from "../check.js";
import type { Lab } from "../lab.js";
import { hasClass } from "../page-texts.js";
import { merge, publishFolder, type Site } from "../site.js";

export const addresses: Check = {
  name: "addresses: other spellings lead to a page in one hop, unknown ones to 404 with suggestions",
  async run({ sites, lab }, { fail }) {
    for (const site of [...sites, lab])
      for (const { url, path } of site.pages.slice(1, 40)) {
        const spellings = [`${url}/`, `${url}.html`, `${url}/README`];
        const upper = site.address + path.toUpperCase().split("/").map(encodeURIComponent).join("/");
        if (upper !== url) spellings.push(upper);
        for (const spelling of spellings) {
          const { status, headers } = await fetch(`${spelling}?a=b`, { redirect: "manual" });
          const to = new URL(headers.get("location") ?? "", url).href;
          if (status !== 308 || to !== `${url}?a=b`) fail(`${spelling} is ${status} to ${to}`);
        }
      }
    for (const site of [...sites, lab]) {
      const page = site.pages.at(-1)!;
      const lost = `${site.address}nowhere/${page.path.split("/").at(-1)}-lost`;
      const response = await fetch(lost, { redirect: "manual" });
      const html = await response.text();
      if (response.status !== 404) fail(`${lost} is ${response.status}`);
      if (!/<meta name="robots" content="noindex"/.test(html)) fail(`${lost} may be listed`);
      await suggests(site, lost, html, fail);
    }
    await leadsOn(lab, fail);
    await staysFindable(lab, fail);
  },
};

/** A page that is not found names exactly three others, the one that was meant among them, and all of them are there. */
async function suggests(
  { address, pages }: Site,
  lost: string,
  html: string,
  fail: (what: string) => void,
): Promise<void> {
  const links = elementsOf(html).filter((one) => one.name === "a" && hasClass(one, "card-link"));
  const named = links.map(({ attrs }) => new URL(attrs.href ?? "", address).href);
  if (new Set(named).size !== MOST_SUGGESTED || named.length !== MOST_SUGGESTED)
    fail(`${lost} suggests ${named.length} pages: ${named}`);
  const meant = pages.at(-1)!;
  const alike = pages.filter(({ title }) => title === meant.title).map(({ url }) => url);
  if (!named.some((url) => alike.includes(url))) fail(`${lost} does not suggest ${meant.url}: ${named}`);
  for (const url of named)
    await textAt(url).catch(({ message }: Error) => fail(`${lost} suggests: ${message}`));
}
const MOST_SUGGESTED = 3;

/** Addresses for which the site has redirects lead on, in one hop and with their query. */
async function leadsOn(
  { make, organization, id, address }: Lab,
  fail: (what: string) => void,
): Promise<void> {
  const destination = { kind: "path", path: "/blocks" };
  for (const source of ["/old/blocks", "/older/*"])
    await make("POST", `/orgs/${organization}/sites/${id}/redirects`, { source, destination });
  for (const from of ["old/blocks", "Old/Blocks/", "older/one/two"])
    await leadsTo(`${address}${from}`, `${address}blocks`, fail);
}

/** An address leads to another one in one hop and with its query, soon after it was made to. */
async function leadsTo(from: string, to: string, fail: (what: string) => void): Promise<void> {
  const leads = async () => {
    const { status, headers } = await fetch(`${from}?a=b`, { redirect: "manual" });
    return status === 308 && new URL(headers.get("location")!, from).href === `${to}?a=b`;
  };
  await eventually(leads, 5_000).catch(() => fail(`${from} does not lead to ${to}`));
}

/** The files of a space whose `.gitbook.yaml` says where a page was before. */
const MOVED = {
  ".gitbook.yaml": "redirects:\n  before/guide: guide.md\n",
  "README.md": "# Start\n\nHello.\n",
  "SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n* [Guide](guide.md)\n",
  "guide.md": "# Guide\n\nWords.\n",
};

/** A page is found where the folder that it came from says that it was, and where it was before it was renamed. */
async function staysFindable({ call, make }: Lab, fail: (what: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-moved-"));
  try {
    for (const [name, text] of Object.entries(MOVED)) await writeFile(join(folder, name), text);
    const site = await publishFolder(call, make, folder);
    const { id, url } = site.pages.at(-1)!;
    await leadsTo(`${site.address}before/guide`, url, fail);
    await merge(site, [{ operation: "update_page", page: id, slug: "renamed" }]);
    for (const from of [url, `${site.address}before/guide`])
      await leadsTo(from, `${site.address}renamed`, fail);
  } finally {
    await rm(folder, { recursive: true });
  }
}
