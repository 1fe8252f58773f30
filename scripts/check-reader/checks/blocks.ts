import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { eventually } from "../../../tests/harness/client.js";
import { type Check, textAt, visit } from "../check.js";
import { CODE } from "../lab.js";
import { type Node, nodesOf } from "../site.js";

export const code: Check = {
  name: "code: copied exactly, numbered and wrapped as said; diagrams are drawn, broken ones show their source; formulas are MathML",
  async run({ sites, lab, browser }, { fail, note }) {
    const options = { permissions: ["clipboard-read", "clipboard-write"] };
    await visit(
      browser,
      `${lab.address}blocks`,
      async (page) => {
        await page.locator("figure.code .copy").first().click();
        const copied = await page.evaluate("navigator.clipboard.readText()");
        if (copied !== CODE) fail(`copying gives ${JSON.stringify(copied)}`);
        const figure = page.locator("figure.code").first();
        if (!(await figure.locator("figcaption").textContent())?.includes("a.js")) fail("code has no title");
        if ((await figure.locator("[data-n]").count()) === 0) fail("lines have no numbers");
        const scrolls = await figure
          .locator("pre")
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
        if (scrolls) fail("lines that should wrap do not");
        const diff = page.locator("figure.code", { hasText: "- old" });
        const colors = await diff
          .locator("span")
          .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color));
        if (new Set(colors).size < 2) fail("what a diff removes looks like what it adds");
        if ((await page.locator("math").count()) === 0) fail("a formula is no MathML");
      },
      options,
    );
    await visit(browser, `${lab.address}diagrams`, async (page) => {
      await page
        .locator(".diagram.drawn")
        .first()
        .waitFor({ timeout: 60_000 })
        .catch(() => {});
      if (!(await page.locator(".diagram.drawn").count())) fail("a diagram is not drawn");
      if (!(await page.locator(".diagram:not(.drawn) pre").first().isVisible()))
        fail("a broken diagram does not show its source");
      await zoomed(page).catch((error: Error) => fail(`a diagram is not enlarged by keys: ${error.message}`));
    });
    let [drawn, all] = [0, 0];
    for (const site of sites)
      for (const { url, document } of site.pages) {
        const has = [...nodesOf(document)].filter(isDiagram).length;
        if (has === 0) continue;
        all += has;
        await visit(browser, url, async (page) => {
          await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
          for (const figure of await page.locator("figure.diagram").all()) {
            await figure.scrollIntoViewIfNeeded().catch(() => {});
            const done = figure.and(page.locator(".drawn"));
            await done.waitFor({ timeout: 60_000, state: "attached" }).then(
              () => (drawn += 1),
              () => {},
            );
          }
        });
      }
    if (drawn < all) fail(`${drawn} of ${all} diagrams of the folders are drawn`);
    note(`${drawn} of ${all} diagrams of the folders are drawn`);
  },
};

/** Opens a diagram by keys, enlarges it, and closes it. */
async function zoomed(page: Page): Promise<void> {
  await page.locator(".diagram.drawn .enlarge").first().focus();
  await page.keyboard.press("Enter");
  const drawn = page.frameLocator("dialog.large-diagram iframe").locator("svg").first();
  await drawn.waitFor({ timeout: 60_000 });
  const width = async () => (await drawn.boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press("+");
  await eventually(async () => (await width()) > before * 1.1);
  await page.keyboard.press("Escape");
  await page.locator("dialog.large-diagram").waitFor({ state: "detached" });
}

const isDiagram = ({ type, data }: { type?: string; data?: Record<string, unknown> }): boolean =>
  (type === "code" && data?.syntax === "mermaid") ||
  (type === "integration" && data?.integration === "mermaid");

/** A request as its receiver saw it. */
interface Received {
  method: string;
  url: string;
  body: string;
  type: string | undefined;
  authorization: string | undefined;
}

/** An API that notes what it is sent, for any origin. */
export async function startApi() {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const headers = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "access-control-allow-methods": "*",
    };
    if (req.method === "OPTIONS") return void res.writeHead(204, headers).end();
    const body = Buffer.concat(await req.toArray()).toString();
    const { method = "", url = "" } = req;
    const { "content-type": type, authorization } = req.headers;
    received.push({ method, url, body, type, authorization });
    res.writeHead(200, { ...headers, "content-type": "application/json" }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v2`, received, stop: () => void server.close() };
}
export type Api = Awaited<ReturnType<typeof startApi>>;

export const operations = (api: Api): Check => ({
  name: "OpenAPI: every operation is drawn, and what is sent is what the sample says",
  async run({ sites, lab, browser }, { fail, note }) {
    for (const site of sites) {
      let [blocks, described, bare] = [0, 0, 0];
      for (const { url, document } of site.pages) {
        const named = [...nodesOf(document)].filter(isOperation);
        if (named.length === 0) continue;
        blocks += named.length;
        const html = await textAt(url);
        if ((html.match(ADDRESSED)?.length ?? 0) < named.length)
          fail(`${url}: not all of ${named.length} operations have a method and a path`);
        const drawn = html.split(/<article class="api">/).slice(1);
        described += drawn.length;
        const ofFiles = named.filter(({ data }) => (data?.ref as { kind?: string })?.kind === "file").length;
        if (drawn.length < ofFiles) fail(`${url}: of ${ofFiles} operations ${drawn.length} are described`);
        for (const one of drawn) {
          if (!one.includes('<details class="response"')) fail(`${url}: an operation has no responses`);
          if (!one.includes('<ul class="fields">')) bare += 1;
        }
      }
      note(
        `${site.name}: ${blocks} operations, ${described} described, ${bare} without parameters and fields`,
      );
    }
    await visit(browser, `${lab.address}pets`, async (page) => {
      const before = (await page.locator("[data-sample]").textContent()) ?? "";
      if (!before.includes(`-X PUT '${api.url}/pets/{id}`)) fail(`the sample is ${before}`);
      await page.locator("[data-trial] summary").click();
      await page.locator("[data-trial] [data-token]").fill(SECRET);
      await page.locator("[data-trial] [data-name=id]").fill("7 é/'");
      await page.locator("[data-trial] [data-name=mode]").selectOption("fast");
      await page.locator("[data-trial] button[type=submit]").click();
      await page.locator("[data-trial] output b").waitFor({ timeout: 10_000 });
      const sent = api.received.at(-1);
      if (!sent) return fail(`nothing was sent: ${await page.locator("[data-trial] output").textContent()}`);
      if (sent.authorization !== `Bearer ${SECRET}`) fail("the token was not sent");
      const sample = (await page.locator("[data-sample]").textContent()) ?? "";
      const shown = requestIn(sample, SECRET);
      const origin = new URL(api.url).origin;
      const same: Received = { ...sent, url: origin + sent.url };
      if (JSON.stringify(shown) !== JSON.stringify(same))
        fail(`the sample says ${JSON.stringify(shown)}, what was sent is ${JSON.stringify(same)}`);
      if (sample.includes(SECRET)) fail("the sample holds the token");
      if (await isKept(page, SECRET)) fail("the token is stored");
    });
  },
});

/** The method and the path of an operation. */
const ADDRESSED = /<span class="method \w+">[A-Z]+<\/span><code>\/(?:[^<]|<wbr\/?>|<\/?span>)*<\/code>/g;

const isOperation = ({ type }: Node): boolean => type === "swagger" || type === "openapi-operation";

const SECRET = "secret-of-mine";

/** Whether a text is kept where other pages or later visits find it. */
export const isKept = async (page: Page, text: string): Promise<boolean> =>
  String(
    await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])",
    ),
  ).includes(text);

/** The request that a line for curl sends, with the token that it names. */
export function requestIn(sample: string, token: string): Received {
  const words = [...sample.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|([^\s\\]+)/g)].map(
    ([, single, double, plain]) =>
      single?.replaceAll("'\\''", "'") ?? double?.replaceAll("$TOKEN", token) ?? plain ?? "",
  );
  const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []));
  const header = (name: string) =>
    after("-H")
      .find((one) => one.toLowerCase().startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const flags = new Set(["-X", "-H", "-d"]);
  const url = words.slice(1).find((word, at) => !flags.has(word) && !flags.has(words[at]!)) ?? "";
  return {
    method: after("-X")[0] ?? "GET",
    url,
    body: after("-d")[0] ?? "",
    type: header("content-type"),
    authorization: header("authorization"),
  };
}
