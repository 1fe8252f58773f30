import { HOSTILE } from "@octavo/html/testing/hostile";
import {
  type Block,
  block,
  inline,
  leaf,
  paragraph,
  textNode,
  voidBlock,
} from "@octavo/markdown/document/nodes";
import { eventually } from "../../../tests/harness/client.js";
import { type Check, sampleOf, textAt, visit, visitEach } from "../check.js";
import type { Lab } from "../lab.js";
import { merge, publishSite } from "../site.js";
import { framesSeeNothing } from "./frames.js";

/** Pages that one change request inserts. */
const AT_ONCE = 50;
/** With a sample of at least 12, all pages are opened; with a smaller one, four per unit. */
const [MANY, OF_EACH] = [12, 4];

/**
 * Operations and files that hostile texts are the names of, and what is part of no name. Pages do not find a file whose name
 * has `&colon;` in it.
 */
const [OF_A_KIND, NO_NAME] = [20, /[\p{Cc}/\\\u2028&]/u];

/** A page that says a text in its title, its description, and every kind of block that takes one. */
function pageSaying(text: string) {
  const words = [textNode([leaf(text.replace(/\s+/g, " "))])];
  const code = (data: object) =>
    block("code", { ...data }, [block("code-line", {}, [textNode([leaf(text.replace(/\s+/g, " "))])])]);
  const to = { kind: "url", url: text };
  const nodes: Block[] = [
    block("heading-1", {}, words),
    paragraph(words),
    paragraph([inline("link", { ref: to }, { isVoid: false, nodes: words })]),
    paragraph([inline("button", { label: text, kind: "primary", ref: to })]),
    block("hint", { style: "info" }, [paragraph(words)]),
    block("tabs", {}, [block("tabs-item", { title: text }, [paragraph(words)])]),
    voidBlock("openapi-operation", { path: text, method: "get", ref: to }),
    code({ title: text, syntax: "js" }),
    code({ syntax: "html" }),
    code({ syntax: text.replace(/[\s`]/g, "") }),
    voidBlock("math", { formula: text }),
    voidBlock("embed", { url: text }),
    block("images", {}, [voidBlock("image", { ref: to, alt: text })]),
    block("updates", {}, [block("update", { date: "2026-01-31" }, [paragraph(words)])]),
  ];
  return {
    // A title is one line.
    operation: "insert_page",
    title: text.replace(/[\p{Cc}\u2028]/gu, " "),
    description: text,
    document: { document: { object: "document", data: {}, nodes } },
  };
}

/** An API that says each of some texts wherever it says anything. */
const apiSaying = (texts: readonly string[]) => ({
  openapi: "3.1.0",
  info: { title: texts[0], version: "1", description: texts[0] },
  servers: [{ url: "https://api.example/" }],
  paths: Object.fromEntries(
    texts.map((text, at) => [
      `/${at}/${text}`,
      {
        get: {
          summary: text,
          description: text,
          operationId: text,
          parameters: [
            {
              name: text,
              in: "query",
              description: text,
              schema: { type: "string", enum: [text], default: text },
            },
          ],
          responses: {
            200: { description: text, content: { [text]: { schema: { title: text, example: text } } } },
          },
        },
      },
    ]),
  ),
});

/** A page of the operations of an API that says some texts. */
async function operationsSaying({ make, call, organization }: Lab, texts: readonly string[]) {
  const [slug, description] = ["hostile-api", apiSaying(texts)];
  const path = `/orgs/${organization}/openapi`;
  await make("POST", path, { slug, source: { text: JSON.stringify(description) } });
  await eventually(async () => {
    const { body } = await call<{ processingState: string }>("GET", `${path}/${slug}`);
    return body.processingState === "complete";
  }, 30_000);
  const ref = { kind: "openapi", spec: slug };
  const nodes = Object.keys(description.paths).map((path) =>
    voidBlock("openapi-operation", { path, method: "get", ref }),
  );
  return pageOf("Operations", nodes);
}

/** Files called by texts, and a page of them, one merge after the other: the page names what the files are found by. */
async function insertFilesCalled({ make }: Lab, space: string, texts: readonly string[]): Promise<void> {
  // Each has a content of its own: files with the same one have the same address.
  const files = texts.map((name, at) => ({ name, base64: Buffer.from(`${at}`).toString("base64") }));
  await merge({ make, space }, [{ operation: "insert_files", files }]);
  const { items } = await make<{ items: { id: string }[] }>(
    "GET",
    `/spaces/${space}/content/files?limit=100`,
  );
  const nodes = items.map(({ id: file }) => voidBlock("file", { ref: { kind: "file", file } }));
  await merge({ make, space }, [pageOf("Files", nodes)]);
}

const pageOf = (title: string, nodes: Block[]) => ({
  operation: "insert_page",
  title,
  document: { document: { object: "document", data: {}, nodes } },
});

/** A site on which every page, and all on it, is called something hostile. */
async function publishHostile(lab: Lab): Promise<{ address: string; urls: string[] }> {
  const { call, make, organization } = lab;
  const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Hostile" })).id;
  const changes = HOSTILE.map((text) => pageSaying(text.replaceAll("\0", " ")));
  for (let at = 0; at < changes.length; at += AT_ONCE)
    await merge({ make, space }, changes.slice(at, at + AT_ONCE));
  const some = HOSTILE.filter((text) => !NO_NAME.test(text));
  await merge({ make, space }, [await operationsSaying(lab, sampleOf(some, OF_A_KIND))]);
  await insertFilesCalled(lab, space, sampleOf(some, OF_A_KIND));
  const title = "<script>alert(1)</script>";
  const { address } = await publishSite(call, make, { organization, space, title });
  const { body } = await call<{ pages: { path: string }[] }>("GET", `/spaces/${space}/content/pages`);
  const paths = body.pages.map(({ path }, at) => (at === 0 ? "" : encodeURIComponent(path)));
  return { address, urls: paths.map((path) => new URL(address + path).href) };
}

export const hostile: Check = {
  name: "hostile: texts that would run, run nowhere, addresses that would deceive stay here, and frames see nothing",
  async run({ lab, browser, sample }, report) {
    const { fail, note } = report;
    const site = await publishHostile(lab);
    const [files, operations] = site.urls.toReversed();
    const called = site.urls.slice(0, -2);
    if (called.length !== HOSTILE.length) fail(`${called.length} of ${HOSTILE.length} pages are there`);
    const some = sampleOf(called, sample < MANY ? OF_EACH * sample : called.length);
    const urls = [...some, operations!, files!];
    for (const [url, drawn] of [
      [operations!, /<article class="api">/g],
      [files!, /<a class="file"/g],
    ] as const) {
      const count = (await textAt(url)).match(drawn)?.length;
      if (count !== OF_A_KIND) fail(`${url} shows ${count} of ${OF_A_KIND}`);
    }
    await visitEach(browser, urls, async (url, page, { errors, foreign }) => {
      if (page.url() !== url) fail(`${url} led to ${page.url()}`);
      if ((await page.locator("h1").count()) === 0) fail(`${url} has no title`);
      for (const one of [...errors, ...foreign]) fail(`${url}: ${one}`);
    });
    for (const javaScriptEnabled of [true, false])
      for (const path of ["", "~octavo/search?q=<script>alert(1)</script>", "~octavo/print"])
        await visit(
          browser,
          site.address + path,
          async (page, { errors, foreign }) => {
            for (const link of (await page.locator("main a").all()).slice(0, 10))
              await link.hover({ timeout: 300 }).catch(() => {});
            for (const one of [...errors, ...foreign]) fail(`${path}: ${one}`);
            if (page.url() !== new URL(site.address + path).href) fail(`${path} led to ${page.url()}`);
          },
          { javaScriptEnabled },
        );
    await leadNowhere(lab.address, fail);
    await framesSeeNothing(lab, browser, report);
    note(`${site.urls.length} pages, each called by a hostile text, ${urls.length} of them opened`);
  },
};

/** Asks for addresses that would lead to another site, if anything believed them. */
async function leadNowhere(address: string, fail: (what: string) => void): Promise<void> {
  const { origin } = new URL(address);
  const targets = [
    "//evil.example/",
    "/\\evil.example",
    "https://evil.example",
    "%0d%0alocation:x",
    "..//evil.example/",
  ];
  for (const target of targets)
    for (const url of [address + target, `${address}Blocks?back=${target}`, `${origin}/sites/${target}`]) {
      const { status, headers } = await fetch(url, { redirect: "manual" });
      const to = headers.get("location");
      if (to && new URL(to, url).origin !== origin) fail(`${url} leads to ${to}`);
      if (status >= 500) fail(`${url} is ${status}`);
    }
}
