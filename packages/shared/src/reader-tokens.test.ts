import { generateKeyPairSync } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import { expect, test, vi } from "vitest";
import type { ReaderCaller } from "./contracts/callers.js";
import { createSigner, createVerifier } from "./identity.js";
import {
  createReaderTokens,
  createReaderVerifier,
  isReaderToken,
  LONGEST_READER_TOKEN,
} from "./reader-tokens.js";

const keyPair = (kid: string) => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const secret = { ...privateKey.export({ format: "jwk" }), kid };
  const { d: _, ...open } = secret;
  return { secret, open };
};
const sites = keyPair("sites");
const content = keyPair("content");
const gateway = keyPair("gateway");
const keys = [sites.open, content.open, gateway.open];
const verify = createReaderVerifier({ keys });
const tokens = createReaderTokens(sites.secret);
const reader = {
  organization: "acme",
  site: "site_1",
  siteSpace: "sitesp_1",
  space: "space1",
  revision: "r1",
  epoch: 3,
  claims: { plan: "pro", unsigned: { beta: true } },
};
const now = () => new Date();

const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());

/** A token with this payload, signed as sites does by default. */
async function forge(payload: object, { signer = sites, audience = "octavo-reader", kid = "sites" } = {}) {
  return new SignJWT({ kind: "site", ...payload })
    .setProtectedHeader({ alg: "EdDSA", kid, typ: "octavo-reader+jwt" })
    .setAudience(audience)
    .sign(await importJWK(signer.secret, "EdDSA"));
}

test("a token names what it reads, and those for the same reader are equal for half an hour", async () => {
  const token = await tokens.create(reader, now());
  expect(isReaderToken(token)).toBe(true);
  const verified = await verify(token);
  const { siteSpace: _, ...named } = reader;
  expect(verified!.caller).toEqual({ kind: "reader", ...named, token: expect.stringMatching(/^[\w-]{22}$/) });
  const { iat, exp } = payloadOf(token);
  expect([exp - iat, iat % 1800]).toEqual([3600, 0]);
  expect(verified!.expiresAt).toBe(new Date(exp * 1000).toISOString());
  const [early, late] = [new Date(iat * 1000), new Date((iat + 1799) * 1000)];
  expect(await tokens.create(reader, early)).toBe(await tokens.create(reader, late));
  expect(await tokens.create({ ...reader, epoch: 4 }, now())).not.toBe(token);
  const withLink = await verify(await tokens.create({ ...reader, editLink: true }, now()));
  expect(withLink!.caller).toMatchObject({ ...named, editLink: true });
});

test("a token is recognised by its prefix and its length, before its signature is checked", async () => {
  const token = await tokens.create(reader, now());
  const [header] = token.split(".") as [string];
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
    alg: "EdDSA",
    kid: "sites",
    typ: "octavo-reader+jwt",
  });
  expect(LONGEST_READER_TOKEN).toBe(6144);
  expect(isReaderToken(token.padEnd(6144, "x"))).toBe(true);
  expect(isReaderToken(token.padEnd(6145, "x"))).toBe(false);
});

test("a token outlives its hour by five seconds at most, for clocks that differ", async () => {
  const token = await tokens.create(reader, now());
  const { exp } = payloadOf(token);
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    vi.setSystemTime((exp + 4) * 1000);
    expect(await verify(token)).not.toBeNull();
    vi.setSystemTime((exp + 5) * 1000);
    expect(await verify(token)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test("names of one letter and the first epoch are as good as others", async () => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const short = { organization: "o", site: "s", siteSpace: "p", space: "c", revision: "r", epoch: 0 };
  const verified = await verify(await forge({ ...short, iat: exp - 60, exp }));
  expect(verified?.caller).toMatchObject({
    organization: "o",
    site: "s",
    space: "c",
    revision: "r",
    epoch: 0,
  });
});

test("an expired token is nobody's", async () => {
  expect(await verify(await tokens.create(reader, new Date(Date.now() - 3_700_000)))).toBeNull();
});

test("tokens that are altered, unsigned, signed by others or for something else are nobody's", async () => {
  const token = await tokens.create(reader, now());
  const [header, body, signature] = token.split(".") as [string, string, string];
  const other = Buffer.from(JSON.stringify({ ...payloadOf(token), site: "site_2" })).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none", kid: "sites", typ: "octavo-reader+jwt" }));
  const exp = Math.floor(Date.now() / 1000) + 60;
  const sound = { ...reader, iat: exp - 60, exp };
  expect(await verify(await forge(sound))).not.toBeNull();
  const forged = [
    `${header}.${other}.${signature}`,
    `${none.toString("base64url")}.${body}.`,
    `${header}.${body}.`,
    await forge(sound, { signer: content }),
    await forge(sound, { signer: content, kid: "content" }),
    await forge(sound, { signer: keyPair("sites") }),
    await forge(sound, { audience: "octavo" }),
    await forge({ ...sound, exp: undefined }),
    await forge({ ...sound, iat: undefined }),
    await forge({ ...sound, epoch: -1 }),
    await forge({ ...sound, space: "" }),
    await forge({ ...sound, kind: "user" }),
    await createSigner(sites.secret).sign({ kind: "service", service: "sites" }),
    await createSigner(sites.secret).sign({ kind: "service", service: "sites" }, "octavo-reader"),
  ];
  for (const one of forged) expect(await verify(one)).toBeNull();
  const unsigned = forged[1]!;
  expect(isReaderToken(unsigned)).toBe(false);
});

test("without the key of sites among the trusted ones no token is accepted", async () => {
  const verify = createReaderVerifier({ keys: [content.open] });
  expect(await verify(await tokens.create(reader, now()))).toBeNull();
});

test("a reader token is no identity, and the identity of a reader is the gateway's to sign", async () => {
  const identities = createVerifier({ keys });
  const refused = { code: "UNAUTHORIZED" };
  await expect(identities.verify(await tokens.create(reader, now()))).rejects.toMatchObject(refused);
  const { caller } = (await verify(await tokens.create(reader, now()))) as { caller: ReaderCaller };
  expect(await identities.verify(await createSigner(gateway.secret).sign(caller))).toEqual(caller);
  const bySites = await createSigner(sites.secret).sign(caller);
  await expect(identities.verify(bySites)).rejects.toMatchObject(refused);
});
