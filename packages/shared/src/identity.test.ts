import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import type { Caller, UserCaller } from "./contracts/callers.js";
import { createSigner, createVerifier } from "./identity.js";

async function keyPair(kid: string): Promise<{ secret: JWK; open: JWK }> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const secret = { ...(await exportJWK(privateKey)), kid };
  const { d: _, ...open } = secret;
  return { secret, open };
}

const ada: UserCaller = {
  kind: "user",
  id: "user1",
  name: "Ada",
  email: "ada@example.org",
  organizations: { acme: "admin", beta: null },
  teams: ["team1"],
  scopes: ["read"],
  token: "token1",
};

let gateway: Awaited<ReturnType<typeof keyPair>>;
let content: Awaited<ReturnType<typeof keyPair>>;
beforeAll(async () => {
  gateway = await keyPair("gateway");
  content = await keyPair("content");
});

const verifier = () => createVerifier({ keys: [gateway.open, content.open] });
const refused = expect.objectContaining({ code: "UNAUTHORIZED" });

/** A token with any claims, signed by the gateway's key unless another is given. */
async function forge(
  claims: Record<string, unknown>,
  { key = gateway.secret, kid = "gateway", ttl = 60 } = {},
) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "EdDSA", kid })
    .setAudience("octavo")
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + ttl)
    .sign(await importJWK(key, "EdDSA"));
}
const user = { k: "user", sub: "user1", n: "Ada", o: {}, t: [], id: "token1" };

test("a user signed by the gateway comes back as it was", async () => {
  const caller = await verifier().verify(await createSigner(gateway.secret).sign(ada));
  expect(caller).toEqual(ada);
  expect(Object.isFrozen(caller)).toBe(true);
});

test("a visitor of a site is accepted from the reader, which may sign for no other caller", async () => {
  const reader = await keyPair("reader");
  const { verify } = createVerifier({ keys: [gateway.open, reader.open] });
  const visitor: Caller = {
    kind: "reader",
    organization: "acme",
    site: "site1",
    epoch: 0,
    space: "space1",
    revision: "revision1",
    token: "token1",
    editLink: true,
  };
  expect(await verify(await createSigner(reader.secret).sign(visitor))).toEqual(visitor);
  for (const caller of [ada, { kind: "service", service: "sites" }] as Caller[])
    await expect(verify(await createSigner(reader.secret).sign(caller))).rejects.toEqual(refused);
});

test("no organization is found under the name of an object's own property", async () => {
  const caller = (await verifier().verify(await createSigner(gateway.secret).sign(ada))) as UserCaller;
  expect(caller.organizations.constructor).toBeUndefined();
});

test("the identity of an integration is unchanged, and accepted from the gateway only", async () => {
  const script: Caller = {
    kind: "integration",
    integration: "witness",
    installation: "i1",
    organization: "acme",
    scopes: ["space:content:read"],
    token: "t1",
  };
  expect(await verifier().verify(await createSigner(gateway.secret).sign(script))).toEqual(script);
  const { installation: _, ...itself } = script;
  expect(await verifier().verify(await createSigner(gateway.secret).sign(itself))).toEqual(itself);
  const placed = { ...script, spaces: { all: false, but: ["s1"] }, sites: { all: true, but: ["t1"] } };
  expect(await verifier().verify(await createSigner(gateway.secret).sign(placed))).toEqual(placed);
  const posing = await createSigner(content.secret).sign(script);
  await expect(verifier().verify(posing)).rejects.toEqual(refused);
});

test("the identity of a service is accepted from that service only", async () => {
  const service: Caller = { kind: "service", service: "content" };
  expect(await verifier().verify(await createSigner(content.secret).sign(service))).toEqual(service);
  const posing = await createSigner(content.secret).sign({ kind: "service", service: "orgs" });
  await expect(verifier().verify(posing)).rejects.toEqual(refused);
});

test("a user signed by a service is refused", async () => {
  await expect(verifier().verify(await createSigner(content.secret).sign(ada))).rejects.toEqual(refused);
});

test("a foreign key under a trusted name is refused", async () => {
  const stranger = await keyPair("gateway");
  await expect(verifier().verify(await createSigner(stranger.secret).sign(ada))).rejects.toEqual(refused);
  const unknown = await keyPair("mallory");
  await expect(verifier().verify(await createSigner(unknown.secret).sign(ada))).rejects.toEqual(refused);
});

test("expired, over-long, wrong audience, unsigned and symmetric tokens are refused", async () => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 60;
  const body = base64({ ...user, aud: "octavo", iat: exp - 60, exp });
  const symmetric = await new SignJWT({ ...user, aud: "octavo", iat: exp - 60, exp })
    .setProtectedHeader({ alg: "HS256", kid: "gateway" })
    .sign(Buffer.from(gateway.open.x!, "base64url"));
  const tokens = [
    await forge(user, { ttl: -30 }),
    await forge(user, { ttl: 3600 }),
    await createSigner(gateway.secret).sign(ada, "elsewhere"),
    `${base64({ alg: "none", kid: "gateway" })}.${body}.`,
    symmetric,
    "",
    "a.b.c",
  ];
  for (const token of tokens) await expect(verifier().verify(token)).rejects.toEqual(refused);
});

test("claims of another shape are refused", async () => {
  const shapes = [
    { ...user, o: { acme: "owner" } },
    { ...user, k: "root" },
    { ...user, id: undefined },
  ];
  for (const claims of shapes) await expect(verifier().verify(await forge(claims))).rejects.toEqual(refused);
  await expect(verifier().verify(await forge(user))).resolves.toMatchObject({ id: "user1" });
});

test("a signer signs a principal once until it is forgotten", async () => {
  const signer = createSigner(gateway.secret);
  const first = await signer.cached("token1", () => ada);
  expect(await signer.cached("token1", () => ada)).toBe(first);
  signer.forget("token1");
  const renamed = await signer.cached("token1", () => ({ ...ada, name: "Ada L." }));
  expect(await verifier().verify(renamed)).toMatchObject({ name: "Ada L." });
});

test("a verified identity is remembered, the same object until it expires", async () => {
  const { verify } = verifier();
  const token = await createSigner(gateway.secret).sign(ada);
  expect(await verify(token)).toBe(await verify(token));
});

test("keys that are no Ed25519 keys are refused at the start", () => {
  expect(() => createSigner({ kty: "oct", k: "AAAA", kid: "gateway" })).toThrow("Ed25519");
  expect(() => createVerifier({ keys: [{ kty: "oct", k: "AAAA", kid: "gateway" }] })).toThrow("Ed25519");
});
