import { createHmac } from "node:crypto";
import { eventually } from "../../../tests/harness/client.js";
import { askMcp } from "../../../tests/harness/mcp.js";
import { type Check, type Report, textAt } from "../check.js";
import type { Lab } from "../lab.js";
import { merge } from "../site.js";

const CONTEXTS = ["red", "green", "blue", "none"];

export const audiences: Check = {
  name: "audiences: what one visitor may see reaches no other, in a thousand requests one among the other",
  async run({ lab }, report) {
    const { fail, note } = report;
    const { call, make, organization } = lab;
    const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Members" })).id;
    const texts = CONTEXTS.slice(0, 3).map(
      (color) => `{% if visitor.claims.color == "${color}" %}\nSecret of ${color}\n{% endif %}`,
    );
    const markdown = `# Welcome\n\n${texts.join("\n\n")}\n\nEnd.`;
    await merge({ make, space }, [{ operation: "insert_page", title: "Welcome", document: { markdown } }]);
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
        const cookie = entered.headers.get("set-cookie") ?? "";
        if (entered.status !== 302) fail(`a visitor with a good token is ${entered.status}`);
        const to = new URL(entered.headers.get("location") ?? "", urls.published).href;
        if (to !== urls.published) fail(`a visitor with a good token is led to ${to}`);
        if (!/; HttpOnly/i.test(cookie) || !/; SameSite=Lax/i.test(cookie)) fail(`the cookie is ${cookie}`);
        return cookie.split(";", 1)[0]!;
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
    const stranger = await fetch(`${urls.published}welcome?a=b`, { redirect: "manual" });
    const login = new URL(stranger.headers.get("location") ?? "none:");
    if (!login.searchParams.get("location")?.includes("welcome")) fail(`a stranger is led to ${login}`);
    for (const bad of [
      jwt(privateKey, {}, { alg: "none" }),
      jwt("another-key", {}),
      jwt(privateKey, { exp: 1 }),
      `${jwt(privateKey, {})}x`,
    ]) {
      const refused = await fetch(`${urls.published}?jwt_token=${bad}`, { redirect: "manual" });
      if (refused.status !== 404) fail(`a bad token in the address is ${refused.status}`);
      const asked = await fetch(urls.published, {
        headers: { cookie: cookies[0]!.replace(/=.*/, `=${bad}`) },
        redirect: "manual",
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
        fail(`${name} is open to strangers`);
    }
    if ((await askMcp(urls.published, "tools/list", {}, false)).status !== 401)
      fail("the tools are open to strangers");
    await endsWithItsKey(lab, report);
    await keepsKeysApart(lab, report);
  },
};

/** A site with a share link is for those who have its key, for two seconds more than the link is active. */
async function endsWithItsKey({ call, make, organization, space }: Lab, { fail }: Report): Promise<void> {
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title: "Shared", spaces: [space] });
  const path = `/orgs/${organization}/sites/${id}`;
  await make("PATCH", path, { visibility: "share-link" });
  await make("POST", `${path}/publish`);
  const link = await make<{ id: string; urls: { published: string } }>("POST", `${path}/share-links`, {
    name: "One",
  });
  const shared = link.urls.published;
  const status = async (url: string) => {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    return response.status;
  };
  await eventually(async () => (await status(shared)) === 200);
  const { body } = await call<{ urls: { published: string } }>("GET", path);
  if ((await status(body.urls.published)) !== 404) fail("a site with share links is open without one");
  if (/<loc>/.test(await textAt(`${shared}sitemap.xml`).catch(() => ""))) fail("a share link has a sitemap");
  await make("PATCH", `${path}/share-links/${link.id}`, { active: false });
  await eventually(async () => (await status(shared)) === 404, 2_000).catch(() =>
    fail("a share link that was revoked is open after two seconds"),
  );
}

/** A redirect leads everybody to an address with the share key that they came by, or with none. */
async function keepsKeysApart({ make, organization, space }: Lab, { fail }: Report): Promise<void> {
  type Addressed = { id: string; urls: { published: string } };
  const sites = `/orgs/${organization}/sites`;
  const { id } = await make("POST", sites, { title: "Keys", spaces: [space] });
  const destination = { kind: "path", path: "/new-path" };
  await make("POST", `${sites}/${id}/redirects`, { source: "/old-path", destination });
  const open = await make<Addressed>("POST", `${sites}/${id}/publish`);
  const link = (name: string) => make<Addressed>("POST", `${sites}/${id}/share-links`, { name });
  const roots = [open, await link("One"), await link("Two"), open].map(({ urls }) => urls.published);
  for (const root of roots) {
    const { headers } = await fetch(`${root}old-path`, { redirect: "manual" });
    const to = new URL(headers.get("location") ?? "", root).href;
    if (to !== `${root}new-path`) fail(`a redirect below ${root} leads to ${to}`);
  }
}

function jwt(key: string, claims: object, header: object = { alg: "HS256", typ: "JWT" }): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encoded(header)}.${encoded({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}
