import { generateKeyPairSync } from "node:crypto";
import { createSigner, IDENTITY_HEADER } from "@octavo/shared/identity";
import { createReaderTokens } from "@octavo/shared/reader-tokens";
import { afterEach, expect, test } from "vitest";
import { createTokenResolver } from "./resolve.js";
import { send, startGateway, type TestGateway } from "./testing.js";

let gateway: TestGateway | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

const keyPair = (kid: string) => {
  const secret = { ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }), kid };
  const { d: _, ...open } = secret;
  return { secret, open };
};
const sites = keyPair("sites");
const own = keyPair("gateway");
const reader = {
  organization: "acme",
  site: "site_1",
  siteSpace: "sitesp_1",
  space: "space1",
  revision: "r1",
  epoch: 0,
  claims: { plan: "x".repeat(1_000) },
};

/** A gateway before services of which none may be called about tokens; the identity that it passes on is returned. */
async function start() {
  // Nobody listens there: a question would be 503.
  const away = "http://127.0.0.1:9";
  const upstreams = { orgs: away, content: away, sites: away, integrations: away };
  gateway = await startGateway({
    upstream: (req, res) => res.end(JSON.stringify({ identity: req.headers[IDENTITY_HEADER] })),
    resolve: createTokenResolver(upstreams, createSigner(own.secret), { keys: [sites.open, own.open] }),
  });
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  return (token: string) => send(gateway!, "GET", "/v1/spaces/s", bearer(token));
}

test("a reader token is accepted without a call to orgs, and services receive the reader's identity", async () => {
  const read = await start();
  const token = await createReaderTokens(sites.secret).create(reader, new Date());
  expect(token.length).toBeGreaterThan(512);
  const response = await read(token);
  expect(response.status).toBe(200);
  const identity = String(response.json().identity);
  const { siteSpace: _, ...named } = reader;
  expect(await gateway!.verifier.verify(identity)).toMatchObject({ kind: "reader", ...named });
});

test("an expired reader token and one of another key are 401, without a call to orgs", async () => {
  const read = await start();
  const past = new Date(Date.now() - 4_000_000);
  const tokens = [
    await createReaderTokens(sites.secret).create(reader, past),
    await createReaderTokens(keyPair("sites").secret).create(reader, new Date()),
  ];
  for (const token of tokens) expect((await read(token)).status).toBe(401);
});

test("a change of the site or of its organization drops the remembered identities of its readers", async () => {
  const read = await start();
  const token = await createReaderTokens(sites.secret).create(reader, new Date());
  for (const id of ["site_1", "acme"]) {
    await read(token);
    expect(gateway!.bearers.known(token)).toBeDefined();
    gateway!.bearers.drop(new Set([id]));
    expect(gateway!.bearers.known(token)).toBeUndefined();
  }
});
