import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as sites from "../store/sites.js";
import { testSites } from "../testing/sites.js";
import { admit, type Visit } from "./admit.js";
import { openPreview, sealPreview } from "./preview.js";
import { verifyVisitor } from "./visitor-token.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const NOW = Date.UTC(2030, 0, 1);
const at = (ms: number) => ({ ...service.contextOf(service.self), clock: () => new Date(ms) });
const seconds = (ms: number) => Math.floor(ms / 1000);

/** A published site for signed visitors, with a name among its claims, and a signer of tokens with its key. */
async function signedSite() {
  const api = await service.as({ acme: "create" });
  const { id: space } = service.content.space({ organization: "acme" });
  const { id } = await api.sites.create({
    organizationId: "acme",
    visibility: "visitor-auth",
    spaces: [space],
  });
  const one = { organizationId: "acme", siteId: id };
  await api.publishing.publish(one);
  const properties = { name: { type: "string" as const, description: "A name." } };
  const jsonSchema = { type: "object" as const, properties, additionalProperties: false as const };
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  const fallbackURL = "https://login.example.com/";
  const { privateKey } = await api.publishingAuth.update({ ...one, backend: "custom", fallbackURL });
  const sign = (payload: object, header: object = {}) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg: "HS256", ...header })}.${part({ exp: seconds(NOW) + 60, ...payload })}`;
    return `${signed}.${createHmac("sha256", privateKey).update(signed).digest("base64url")}`;
  };
  const visit = async (given: Partial<Visit>) => {
    const ctx = at(NOW);
    const site = (await sites.find(ctx, "acme", id))!;
    return admit(ctx, site, { path: [], redirectOnError: true, ...given });
  };
  return { site: { id, organization: "acme" }, sign, visit };
}

/** Of texts that a number makes longer, the shortest that has so many characters at least. */
function ofLength(length: number, textOf: (size: number) => string): string {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (textOf(middle).length < length) low = middle + 1;
    else high = middle;
  }
  return textOf(low);
}

test("a token of a visitor has 8,192 characters at most", async () => {
  const { site, sign } = await signedSite();
  const isBelieved = async (length: number) => {
    const token = ofLength(length, (size) => sign({ name: "x".repeat(size) }));
    expect(token.length).toBe(length);
    return (await verifyVisitor(at(NOW), site, token)) !== undefined;
  };
  expect([await isBelieved(8192), await isBelieved(8193)]).toEqual([true, false]);
});

test("a token ends at its time to the millisecond, and may begin five seconds ahead", async () => {
  const { site, sign } = await signedSite();
  const isBelieved = async (payload: object, ms = NOW) =>
    (await verifyVisitor(at(ms), site, sign(payload))) !== undefined;
  const exp = seconds(NOW);
  expect([await isBelieved({ exp }, NOW - 1), await isBelieved({ exp }, NOW)]).toEqual([true, false]);
  const ahead = (s: number) => isBelieved({ nbf: seconds(NOW) + s });
  expect([await ahead(5), await ahead(6)]).toEqual([true, false]);
});

test("claims of 3,000 bytes travel with a visitor, and none beyond", async () => {
  const { sign, visit } = await signedSite();
  const name = (bytes: number) => "x".repeat(bytes - JSON.stringify({ name: "" }).length);
  const claimsOf = async (bytes: number) => visit({ jwtToken: sign({ name: name(bytes) }) });
  expect(await claimsOf(3000)).toEqual({ claims: { name: name(3000) } });
  expect(await claimsOf(3001)).toEqual({});
});

test("visitors come back from where they sign in to the first 1,024 characters of where they were", async () => {
  const { visit } = await signedSite();
  const sent = (await visit({ path: ["a".repeat(1000), "b".repeat(100)] })) as { redirect: string };
  expect(new URL(sent.redirect).searchParams.get("location")).toBe(`${"a".repeat(1000)}/${"b".repeat(23)}`);
});

test("a preview opens for an hour to the millisecond, and its token has 16,384 characters at most", async () => {
  const site = { id: "site_1", organization: "acme" };
  const token = sealPreview(at(NOW), site, { claims: { beta: true } });
  expect(openPreview(at(NOW + 3_599_999), site, token)).toEqual({ claims: { beta: true } });
  expect(openPreview(at(NOW + 3_600_000), site, token)).toBeUndefined();
  const sized = (length: number) =>
    ofLength(length, (size) => sealPreview(at(NOW), site, { claims: { a: "x".repeat(size) } }));
  const [longest, longer] = [sized(16_384), sized(16_385)];
  expect(longest.length).toBe(16_384);
  expect(openPreview(at(NOW), site, longest)).toBeDefined();
  expect(openPreview(at(NOW), site, longer)).toBeUndefined();
});
