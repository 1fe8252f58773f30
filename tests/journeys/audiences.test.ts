import { SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// One site for several kinds of visitors: each sees the pages and blocks that are for them, by the addresses
// of the site alone.

let call: Client;
let make: ReturnType<typeof makerOf>;
let org: string;
let site: string;
let guide: string;
let address: string;

interface Visitor {
  jwtToken?: string;
  unsignedClaims?: Record<string, unknown>;
}
interface Resolved {
  apiToken: string;
  space: string;
  revision: string;
  shareKey?: string;
  redirect?: string;
  organization: string;
  site: string;
}
interface Space {
  visibility: string;
  visitorAuth?: { backend: string };
  urls: { published?: string };
}
interface Shown {
  title: string;
  urls: { published: string };
}

const resolve = (url: string, visitor?: Visitor, redirectOnError = true) =>
  call<Resolved>("POST", "/urls/published", { url, visitor, redirectOnError });

/** Writes pages into a new space; `pages` are titles with what they are shown for. */
async function newSpace(title: string, pages: Record<string, string | undefined>): Promise<string> {
  const { id } = await make("POST", `${org}/spaces`, { title });
  const one = `/spaces/${id}/change-requests/${(await make("POST", `/spaces/${id}/change-requests`, {})).id}`;
  const changes = Object.entries(pages).map(([title, condition]) => ({
    operation: "insert_page",
    title,
    condition,
    document: {
      markdown: `All of it.\n\n{% if visitor.claims.plan == "pro" %}\nFor customers.\n{% endif %}\n`,
    },
  }));
  await make("POST", `${one}/content`, { changes });
  await make("POST", `${one}/merge`);
  return id;
}

/** What a visitor sees of the site: per space, its title, its pages, and whether they speak to customers. */
async function walk(url: string, visitor?: Visitor) {
  const { body, status } = await resolve(url, visitor);
  if (status !== 200 || body.redirect !== undefined) return [status, body.redirect ?? null];
  const as = call.as(body.apiToken);
  const shareKey = body.shareKey === undefined ? "" : `?shareKey=${body.shareKey}`;
  const profile = await as<{ structure: { structure: Shown[] } }>("GET", `${site}/published${shareKey}`);
  const spaces = [];
  for (const { title, urls } of profile.body.structure.structure) {
    const at = (await resolve(urls.published, visitor)).body;
    const reader = call.as(at.apiToken);
    const revision = `/spaces/${at.space}/revisions/${at.revision}`;
    const { pages } = (await reader<{ pages: { id: string; title: string }[] }>("GET", `${revision}/pages`))
      .body;
    const texts = await Promise.all(
      pages.map(async ({ id }) =>
        JSON.stringify((await reader("GET", `${revision}/page/${id}/document`)).body),
      ),
    );
    const customers = texts.every((text) => text.includes("For customers."));
    spaces.push([title, pages.map((page) => page.title), customers ? "customers" : "everybody"]);
  }
  return spaces;
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  make = makerOf(call);
  org = `/orgs/${(await make<{ items: { id: string }[] }>("GET", "/orgs")).items[0]!.id}`;
  guide = await newSpace("Guide", {
    Welcome: undefined,
    Beta: "visitor.claims.unsigned.beta",
    Prices: "visitor.claims.partner",
  });
  const made = await make("POST", `${org}/sites`, {
    title: "Docs",
    visibility: "share-link",
    spaces: [guide],
  });
  site = `${org}/sites/${made.id}`;
  const claim = { type: "boolean", description: "A flag." };
  await make("PUT", `${site}/adaptive-schema`, {
    jsonSchema: {
      type: "object",
      properties: {
        partner: claim,
        plan: { type: "string", enum: ["free", "pro"], description: "A plan." },
        unsigned: {
          type: "object",
          description: "Unsigned claims of the site visitor.",
          properties: { beta: claim },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  });
  await make("PATCH", site, { adaptiveContent: { enabled: true } });
  const { urls } = await make<{ urls: { published: string } }>("POST", `${site}/publish`);
  address = urls.published;
});

const spaceOf = async (query = "") => (await call<Space>("GET", `/spaces/${guide}${query}`)).body;

const GUIDE = ["Guide", ["Welcome"], "everybody"];

test("a site with share links is for who has the address of an active one, until it is taken back", async () => {
  const [one, other] = [
    await make<{ id: string; urls: { published: string } }>("POST", `${site}/share-links`, { name: "One" }),
    await make<{ id: string; urls: { published: string } }>("POST", `${site}/share-links`, { name: "Other" }),
  ];
  expect(await walk(address)).toEqual([404, null]);
  await eventually(async () => {
    expect(await walk(one.urls.published)).toEqual([GUIDE]);
    return true;
  });
  expect(await spaceOf()).toMatchObject({ visibility: "share-link", urls: { published: address } });
  const shareKey = one.urls.published.split("/").at(-2);
  expect((await spaceOf(`?shareKey=${shareKey}`)).urls.published).toBe(one.urls.published);
  const beta = { unsignedClaims: { beta: true, partner: true, plan: "pro" } };
  expect(await walk(one.urls.published, beta)).toEqual([["Guide", ["Welcome", "Beta"], "everybody"]]);
  const { apiToken } = (await resolve(one.urls.published)).body;
  await make("PATCH", `${site}/share-links/${one.id}`, { active: false });
  expect(await walk(one.urls.published)).toEqual([404, null]);
  expect((await call.as(apiToken)("GET", `${site}/published`)).status).toBe(401);
  await eventually(async () => {
    expect(await walk(other.urls.published)).toEqual([GUIDE]);
    return true;
  });
  expect((await call("DELETE", `${site}/share-links/${other.id}`)).status).toBe(204);
  expect(await walk(other.urls.published)).toEqual([404, null]);
});

test("a site with visitor authentication shows each visitor what their signed claims allow", async () => {
  const fallbackURL = "https://login.example.com/start";
  await make("PATCH", site, { visibility: "visitor-auth" });
  const { privateKey } = await make<{ privateKey: string }>("PATCH", `${site}/publishing/auth`, {
    backend: "custom",
    fallbackURL,
  });
  const jwtFor = async (claims: object, key = privateKey) => ({
    jwtToken: await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(key)),
  });
  const login = [200, `${fallbackURL}?location=`];
  expect(await walk(address)).toEqual(login);
  expect(await walk(address, await jwtFor({}, "another key"))).toEqual(login);
  expect((await resolve(address, await jwtFor({}, "another key"), false)).status).toBe(403);
  await eventually(async () => {
    expect(await walk(address, await jwtFor({ plan: "free" }))).toEqual([GUIDE]);
    return true;
  });
  expect(await spaceOf()).toMatchObject({ visibility: "visitor-auth", visitorAuth: { backend: "custom" } });
  expect(await walk(address, await jwtFor({ partner: true }))).toEqual([
    ["Guide", ["Welcome", "Prices"], "everybody"],
  ]);
  expect(await walk(address, await jwtFor({ partner: true, plan: "pro" }))).toEqual([
    ["Guide", ["Welcome", "Prices"], "customers"],
  ]);
  const visitor = await jwtFor({ plan: "pro" });
  await make("POST", `${site}/publishing/auth/regenerate`);
  expect(await walk(address, visitor)).toEqual(login);
});
