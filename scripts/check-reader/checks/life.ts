import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../../tests/harness/stack.js";
import { type Check, percentile, textAt, visit } from "../check.js";
import { nodesOf, type Site, type SourcePage } from "../site.js";

export const search: Check = {
  number: 5,
  name: "search: identifiers in code, Chinese and mistyped words find their page among the first three, at its heading",
  async run({ sites, lab, browser }, { fail, note }) {
    const wanted: [Site, string, string, string?][] = [
      [lab, "quokkaFactory.createBurrow", "identifiers"],
      [lab, "鴨嘴獸", "chinese", "#"],
      [lab, "platpyus", "", "#first-steps"],
      ...sites.flatMap((site) =>
        rareWords(site).map(([word, path]) => [site, word, path] as [Site, string, string]),
      ),
    ];
    await sleep(1_500);
    for (const [site, query, path, anchor] of wanted) {
      const html = await textAt(`${site.address}~octavo/search?part=1&q=${encodeURIComponent(query)}`);
      const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(
        ([, href]) => new URL(href!, site.address).href,
      );
      const first = [...new Set(hrefs.map((href) => href.split("#")[0]!))].slice(0, 3);
      const page = site.address + path.split("/").map(encodeURIComponent).join("/");
      const home = site.pages[0]!.path === path ? site.address : page;
      if (!first.includes(page) && !first.includes(home))
        fail(`${site.name}: ${query} does not find ${page}: ${first}`);
      if (anchor && !hrefs.some((href) => href.includes(anchor))) fail(`${query} leads to no heading`);
    }
    for (const site of [...sites, lab]) {
      const times: number[] = [];
      const words = site.pages.slice(0, 40).map(({ title }) => title.slice(0, 30));
      for (const word of words) {
        const began = performance.now();
        await textAt(`${site.address}~octavo/search?part=1&q=${encodeURIComponent(word)}`);
        times.push(performance.now() - began);
      }
      const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(0));
      const slowest = words[times.indexOf(Math.max(...times))];
      note(`${site.name}: p50 ${p50} ms, p95 ${p95} ms, the slowest: ${slowest}`);
      if (percentile(times, 0.95) > 150)
        fail(`${site.name}: a search takes ${percentile(times, 0.95).toFixed(0)} ms`);
    }
    await visit(browser, lab.address, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("platyp");
      await page.waitForSelector("dialog.search [role=option]", { timeout: 10_000 });
      const announced = await page.locator("dialog.search [role=status]").textContent();
      if (!announced || !/\d/.test(announced)) fail("what was found is not announced");
    });
  },
};

/** Words of code that stand on one page alone, and no word of whose text or title holds them. */
function rareWords(site: Site): [string, string][] {
  const seen = new Map<string, SourcePage | undefined>();
  for (const page of site.pages) {
    const words = new Set<string>();
    for (const { type, nodes } of nodesOf(page.document)) {
      if (type !== "code") continue;
      const text = [...nodesOf({ nodes: nodes ?? [] })].map(({ text = "" }) => text).join(" ");
      for (const [word] of text.matchAll(/\b[a-z]+(?:[A-Z][a-z]+){2,}\b/g)) words.add(word);
    }
    for (const word of words) seen.set(word, seen.has(word) ? undefined : page);
  }
  const alone = [...seen].filter(([word, page]) => page && word.length > 14 && word.length < 40);
  return alone.slice(0, 10).map(([word, page]) => [word, page!.path]);
}

export const fresh = (stack: Stack): Check => ({
  number: 12,
  name: "fresh: a merge is seen within two seconds while pages are read, and pages that it did not touch stay 304",
  async run({ lab }, { fail, note }) {
    for (const away of [false, true]) {
      if (away) await stack.kill("nats-server");
      const target = lab.pages.find(({ title }) => title === "Identifiers")!;
      const other = `${lab.address}chinese`;
      const etag = (await fetch(other)).headers.get("etag")!;
      let [running, requests, bad] = [true, 0, 0];
      const load = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (running) {
            const { status, body } = await fetch(lab.address + (requests % 2 ? "blocks" : "chinese"));
            await body?.cancel();
            requests += 1;
            if (status !== 200) bad += 1;
            await sleep(20);
          }
        }),
      );
      const word = `echidna${away ? "two" : "one"}`;
      await lab.change([
        { operation: "update_page", page: target.id, document: { markdown: `# Identifiers\n\n${word}\n` } },
      ]);
      const began = performance.now();
      while (!(await textAt(target.url)).includes(word) && performance.now() - began < 10_000)
        await sleep(20);
      const took = performance.now() - began;
      running = false;
      await load;
      if (took > 2_000) fail(`new text is seen after ${took.toFixed(0)} ms${away ? " without NATS" : ""}`);
      if (bad > 0) fail(`${bad} of ${requests} requests were refused meanwhile`);
      const again = await fetch(other, { headers: { "if-none-match": etag } });
      if (again.status !== 304) fail(`a page that was not touched is ${again.status}`);
      note(`${took.toFixed(0)} ms${away ? " without NATS" : ""}, ${requests} requests meanwhile`);
    }
    await stack.ready();
  },
});

export const speed: Check = {
  number: 11,
  name: "speed: pages that nobody asked for before, and the longest one while others are read",
  async run({ sites, lab }, { fail, note }) {
    for (const site of sites) {
      const times: [number, string][] = [];
      for (const { url } of site.pages.slice(0, 200)) {
        const began = performance.now();
        // What nobody asked for in this form: pages are drawn for each format.
        await textAt(`${url}.md`).catch(() => undefined);
        times.push([performance.now() - began, url]);
      }
      const all = times.map(([ms]) => ms);
      note(
        `${site.name}: markdown p50 ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms`,
      );
    }
    const hostile = `\`\`\`js\n${"a = /* ".repeat(7_000)}\n\`\`\``;
    await lab.change([{ operation: "insert_page", title: "Heavy", document: { markdown: hostile } }]);
    let slowest = 0;
    let running = true;
    const others = (async () => {
      while (running) {
        const began = performance.now();
        await textAt(`${lab.address}blocks`);
        slowest = Math.max(slowest, performance.now() - began);
        await sleep(5);
      }
    })();
    for (let tries = 0; tries < 40 && (await fetch(`${lab.address}heavy`)).status !== 200; tries += 1)
      await sleep(100);
    running = false;
    await others;
    note(`others waited ${slowest.toFixed(0)} ms at most while a hostile page was drawn`);
    if (slowest > 200) fail(`others waited ${slowest.toFixed(0)} ms while a hostile page was drawn`);
  },
};

const CONTEXTS = ["red", "green", "blue", "none"];

export const audiences: Check = {
  number: 18,
  name: "audiences: what one visitor may see reaches no other, in a thousand requests one among the other",
  async run({ lab }, { fail, note }) {
    const { call, make, organization } = lab;
    const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Members" })).id;
    const texts = CONTEXTS.slice(0, 3).map(
      (color) => `{% if visitor.claims.color == "${color}" %}\nSecret of ${color}\n{% endif %}`,
    );
    const { id: request } = await make("POST", `/spaces/${space}/change-requests`, { subject: "Write" });
    const changes = [
      {
        operation: "insert_page",
        title: "Welcome",
        document: { markdown: `# Welcome\n\n${texts.join("\n\n")}\n\nEnd.` },
      },
    ];
    await make("POST", `/spaces/${space}/change-requests/${request}/content`, { changes });
    await make("POST", `/spaces/${space}/change-requests/${request}/merge`);
    const { id } = await make("POST", `/orgs/${organization}/sites`, { title: "Members", spaces: [space] });
    const path = `/orgs/${organization}/sites/${id}`;
    await make("POST", `${path}/publish`);
    await make("PATCH", path, { visibility: "visitor-auth", adaptiveContent: { enabled: true } });
    const auth = { backend: "custom", fallbackURL: "https://login.example.com/in" };
    const { privateKey } = (await call<{ privateKey: string }>("PATCH", `${path}/publishing/auth`, auth))
      .body;
    const jsonSchema = {
      type: "object",
      properties: { color: { type: "string", description: "A color." } },
      additionalProperties: false,
    };
    await make("PUT", `${path}/adaptive-schema`, { jsonSchema });
    const { urls } = (await call<{ urls: { published: string } }>("GET", path)).body;
    const cookies = await Promise.all(
      CONTEXTS.map(async (color) => {
        const entered = await fetch(`${urls.published}?jwt_token=${jwt(privateKey, { color })}`, {
          redirect: "manual",
        });
        if (entered.status !== 302) fail(`a visitor with a good token is ${entered.status}`);
        return entered.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
      }),
    );
    let [mixed, seen] = [0, 0];
    await Promise.all(
      Array.from({ length: 20 }, async (_, worker) => {
        for (let turn = 0; turn < 50; turn += 1) {
          const at = (worker * 7 + turn) % CONTEXTS.length;
          const response = await fetch(urls.published, { headers: { cookie: cookies[at]! } });
          const colors = [...(await response.text()).matchAll(/Secret of (\w+)/g)].map(([, color]) => color);
          const right = at === 3 ? [] : [CONTEXTS[at]];
          if (colors.join() !== right.join()) mixed += 1;
          else if (colors.length > 0) seen += 1;
          if (response.headers.get("cache-control") !== "private, no-store")
            fail("a private page may be kept");
        }
      }),
    );
    if (mixed > 0) fail(`${mixed} of 1000 visitors saw what is somebody else's`);
    note(`${seen} saw their own text`);
    for (const bad of [
      jwt(privateKey, {}, { alg: "none" }),
      jwt("another-key", {}),
      jwt(privateKey, { exp: 1 }),
      `${jwt(privateKey, {})}x`,
    ]) {
      const refused = await fetch(`${urls.published}?jwt_token=${bad}`, { redirect: "manual" });
      if (refused.status !== 404) fail(`a bad token in the address is ${refused.status}`);
      const asked = await fetch(urls.published, {
        ...{ headers: { cookie: cookies[0]!.replace(/=.*/, `=${bad}`) }, redirect: "manual" },
      });
      if (!asked.headers.get("location")?.startsWith(auth.fallbackURL))
        fail(`a bad cookie is ${asked.status}`);
    }
    for (const name of [
      "sitemap.xml",
      "llms.txt",
      "llms-full.txt",
      "robots.txt",
      "~octavo/search?q=secret",
      "~octavo/print",
    ]) {
      const response = await fetch(urls.published + name, { redirect: "manual" });
      if (response.status === 200 || /Secret of/.test(await response.text()))
        fail(`${name} is open to nobody`);
    }
  },
};

function jwt(key: string, claims: object, header: object = { alg: "HS256", typ: "JWT" }): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encoded(header)}.${encoded({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}
