import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";
import { signInTest } from "./testing-sign-in.js";

const orgs = await startOrgs();
const { db } = orgs;
afterAll(orgs.end);

/** How many requests, assertions and codes of a provider are kept. */
async function kept(provider: string) {
  const tables = ["saml_request", "saml_assertion", "sso_code"] as const;
  const counts = tables.map(async (table) => {
    const query = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as("count"));
    return Number((await query.where("provider", "=", provider).executeTakeFirstOrThrow()).count);
  });
  return Promise.all(counts);
}

const expire = async (provider: string) => {
  const set = { expires_at: new Date(Date.now() - 1_000).toISOString() };
  for (const table of ["saml_request", "saml_assertion", "sso_code"] as const)
    await db.updateTable(table).set(set).where("provider", "=", provider).execute();
};

test("requests, assertions and codes that have run out are gone with the next sign-in, whoever's they were; others stay", async () => {
  const [acme, beta] = [await signInTest(orgs), await signInTest(orgs)];
  for (const { signIn, start } of [acme, beta]) {
    // A code that nobody exchanges, and a request without a response.
    expect((await signIn({ email: `${Date.now()}@example.com` })).status).toBe(303);
    await start();
  }
  const [old, live] = [acme.provider.id, beta.provider.id];
  expect([await kept(old), await kept(live)]).toEqual([
    [1, 1, 1],
    [1, 1, 1],
  ]);
  await expire(old);
  await beta.start();
  expect([await kept(old), await kept(live)]).toEqual([
    [0, 0, 0],
    [2, 1, 1],
  ]);
});
