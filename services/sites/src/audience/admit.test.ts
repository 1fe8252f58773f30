import { createHmac, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";
import { admit, type Visit } from "./admit.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const flag = { type: "boolean" as const, description: "A flag." };
const word = { type: "string" as const, description: "A text." };
const jsonSchema = {
  type: "object" as const,
  properties: {
    beta: flag,
    name: word,
    plan: { ...word, enum: ["free", "pro"] },
    unsigned: {
      type: "object" as const,
      description: "Unsigned claims of the site visitor." as const,
      properties: { beta: flag, lang: word },
      additionalProperties: false as const,
    },
  },
  additionalProperties: false as const,
} as never;

interface Given {
  visibility?: "public" | "unlisted" | "share-link" | "visitor-auth";
  adaptive?: boolean;
  fallbackURL?: string;
}

async function published({ visibility = "visitor-auth", adaptive = true, fallbackURL }: Given = {}) {
  const api = await service.as({ acme: "create" });
  const { id: space } = service.content.space({ organization: "acme" });
  const { id } = await api.sites.create({ organizationId: "acme", visibility, spaces: [space] });
  const one = { organizationId: "acme", siteId: id };
  await api.publishing.publish(one);
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  if (adaptive) await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  const auth = await api.publishingAuth.update({ ...one, backend: "custom", fallbackURL });
  const ctx = service.contextOf(service.self);
  const visit = async (visit: Partial<Visit> = {}) => {
    const site = (await sites.find(ctx, "acme", id))!;
    const admission = await admit(ctx, site, { path: [], redirectOnError: true, ...visit });
    return admission && JSON.parse(JSON.stringify(admission));
  };
  return { api, one, key: auth.privateKey, visit };
}

const now = () => Math.floor(Date.now() / 1000);
const bytes = (key: string) => new TextEncoder().encode(key);
const sign = (key: string, claims: object = {}, { exp = now() + 3600, alg = "HS256" } = {}) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg }).setExpirationTime(exp).sign(bytes(key));
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** A token that no library would make. */
const forge = (header: object, payload: object, key?: string) => {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${key === undefined ? "" : createHmac("sha256", key).update(signed).digest("base64url")}`;
};

test.each(["public", "unlisted"] as const)(
  "a %s site is for everybody, whatever they bring",
  async (visibility) => {
    const { visit } = await published({ visibility });
    expect(await visit()).toEqual({});
    expect(await visit({ jwtToken: "nonsense", path: ["nonsense"], redirectOnError: false })).toEqual({});
  },
);

test("a token that the key of the site has signed lets a visitor in, with the claims that the schema has", async () => {
  const { key, visit } = await published();
  const claims = { beta: true, name: "Ada", plan: "gold", admin: true, unsigned: { beta: true } };
  expect(await visit({ jwtToken: await sign(key, claims) })).toEqual({
    claims: { beta: true, name: "Ada" },
  });
  for (const token of [
    forge({ alg: "HS256", typ: "JWT" }, { exp: now() + 60 }, key),
    await sign(key, { iss: "https://login.example.com", sub: "ada", iat: now() }),
  ])
    expect(await visit({ jwtToken: token })).toEqual({});
});

test("claims that a visitor sends without proof stand below `unsigned` and nowhere else", async () => {
  const { key, visit } = await published();
  const unsignedClaims = { beta: true, plan: "pro", lang: "de", unsigned: { beta: false } };
  const jwtToken = await sign(key, { plan: "free" });
  expect((await visit({ jwtToken, unsignedClaims })).claims).toEqual({
    plan: "free",
    unsigned: { beta: true, lang: "de" },
  });
  const { visit: visitPublic } = await published({ visibility: "public" });
  expect((await visitPublic({ unsignedClaims })).claims).toEqual({ unsigned: { beta: true, lang: "de" } });
});

test("claims count while adaptive content is enabled", async () => {
  const { api, one, key, visit } = await published({ adaptive: false });
  const jwtToken = await sign(key, { beta: true });
  expect(await visit({ jwtToken, unsignedClaims: { beta: true } })).toEqual({});
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  expect((await visit({ jwtToken })).claims).toEqual({ beta: true });
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

const bad: [
  string,
  (given: { key: string; siteId: string; otherKey: string }) => Promise<string> | string,
][] = [
  ["nothing", () => ""],
  ["nonsense", () => "nonsense"],
  ["three parts of nonsense", () => "a.b.c"],
  ["what expired an hour ago", ({ key }) => sign(key, {}, { exp: now() - 3600 })],
  ["what expired a second ago", ({ key }) => sign(key, {}, { exp: now() - 1 })],
  ["what never expires", ({ key }) => forge({ alg: "HS256" }, { beta: true }, key)],
  ["what expires at a text", ({ key }) => forge({ alg: "HS256" }, { exp: "tomorrow" }, key)],
  ["what begins in an hour", ({ key }) => sign(key, { nbf: now() + 3600 })],
  ["alg none", () => forge({ alg: "none" }, { exp: now() + 60 })],
  ["alg none, signed all the same", ({ key }) => forge({ alg: "none" }, { exp: now() + 60 }, key)],
  ["alg None in other letters", () => forge({ alg: "NoNe" }, { exp: now() + 60 })],
  ["no alg", ({ key }) => forge({}, { exp: now() + 60 }, key)],
  ["another alg of the same key", ({ key }) => sign(key, {}, { alg: "HS512" })],
  [
    "an asymmetric alg",
    () =>
      new SignJWT({})
        .setProtectedHeader({ alg: "RS256" })
        .setExpirationTime(now() + 60)
        .sign(rsa),
  ],
  ["the key of another site", ({ otherKey }) => sign(otherKey)],
  ["the id of the site as the key", ({ siteId }) => sign(siteId)],
  ["an empty key", () => forge({ alg: "HS256" }, { exp: now() + 60 }, "")],
  ["another audience", ({ key }) => sign(key, { aud: "site_other" })],
  ["other audiences", ({ key }) => sign(key, { aud: ["a", "b"] })],
  [
    "a critical header that nobody knows",
    ({ key }) => forge({ alg: "HS256", crit: ["x"], x: 1 }, { exp: now() + 60 }, key),
  ],
  ["a list", ({ key }) => forge({ alg: "HS256" }, [], key)],
  [
    "a payload that was changed",
    async ({ key }) => {
      const [header, , signature] = (await sign(key)).split(".");
      return [header, part({ exp: now() + 999, beta: true }), signature].join(".");
    },
  ],
  ["a token that is cut off", async ({ key }) => (await sign(key)).slice(0, -1)],
  ["a token that is too long", ({ key }) => sign(key, { name: "x".repeat(9000) })],
];

const once = <Made>(make: () => Promise<Made>) => {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
const signingIn = once(() => published({ fallbackURL: "https://login.example.com/start?app=docs" }));
const other = once(() => published());

test.each(bad)("%s is refused: the visitor signs in first", async (_, tokenOf) => {
  const { key, one, visit } = await signingIn();
  const { key: otherKey } = await other();
  const jwtToken = await tokenOf({ key, siteId: one.siteId, otherKey });
  expect(await visit({ jwtToken, path: ["guide", "first steps"] })).toEqual({
    target: "external",
    redirect: "https://login.example.com/start?app=docs&location=guide%2Ffirst%2520steps",
  });
  await expect(visit({ jwtToken, redirectOnError: false })).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "Visitor: the JWT is not good",
    details: { reason: "visitor_token_refused" },
  });
});

test("an audience of the site is right, alone or among others", async () => {
  const { key, one, visit } = await published();
  for (const aud of [one.siteId, ["other", one.siteId]])
    expect(await visit({ jwtToken: await sign(key, { aud }) })).toEqual({});
});

test("visitors without a token are sent to sign in, and refused where the site has no address for that", async () => {
  const { visit } = await published({ fallbackURL: "https://login.example.com/" });
  const sent = { target: "external", redirect: "https://login.example.com/?location=" };
  expect(await visit({ redirectOnError: false })).toEqual(sent);
  const { visit: visitOther } = await published();
  const message = "Visitor: has to sign in, and the site does not say where";
  const refused = { code: "FORBIDDEN", message, details: { reason: "visitor_unknown" } };
  await expect(visitOther()).rejects.toMatchObject(refused);
  await expect(visitOther({ jwtToken: "nonsense" })).rejects.toMatchObject(refused);
});

test("another key makes every token worthless that was signed before", async () => {
  const { api, one, key, visit } = await published({ fallbackURL: "https://login.example.com/" });
  const jwtToken = await sign(key);
  expect(await visit({ jwtToken })).toEqual({});
  const { privateKey } = await api.publishingAuth.regenerate(one);
  expect(await visit({ jwtToken })).toMatchObject({ target: "external" });
  expect(await visit({ jwtToken: await sign(privateKey) })).toEqual({});
});

test("a site without a key accepts no token", async () => {
  const api = await service.as({ acme: "create" });
  const { id: space } = service.content.space({ organization: "acme" });
  const site = await api.sites.create({
    organizationId: "acme",
    visibility: "visitor-auth",
    spaces: [space],
  });
  await api.publishing.publish({ organizationId: "acme", siteId: site.id });
  const ctx = service.contextOf(service.self);
  const row = (await sites.find(ctx, "acme", site.id))!;
  for (const key of ["undefined", "null", site.id])
    await expect(
      admit(ctx, row, { path: [], redirectOnError: false, jwtToken: await sign(key) }),
    ).rejects.toMatchObject({ details: { reason: "visitor_token_refused" } });
});

test("claims that are too much to carry do not count, those without proof first", async () => {
  const { key, visit } = await published();
  const jwtToken = await sign(key, { beta: true, name: "Ada" });
  const tooMuch = await visit({ jwtToken, unsignedClaims: { lang: "x".repeat(5000) } });
  expect(tooMuch.claims).toEqual({ beta: true, name: "Ada" });
  const all = await visit({ jwtToken: await sign(key, { beta: true, name: "x".repeat(4000) }) });
  expect(all).toEqual({});
});
