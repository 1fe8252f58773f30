import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { rows, as, end } = await startOrgs();
afterAll(end);

test("GET /subdomains/{subdomain} returns its organization to anybody", async () => {
  const subdomain = `acme-${newId().slice(-8).toLowerCase()}`;
  const organization = await rows.organization({ hostname: subdomain });
  const { status, body } = await (await as()).send("GET", `/v1/subdomains/${subdomain}`);
  expect(status).toBe(200);
  const target = { type: "organization", organization };
  expect(body).toEqual({ object: "subdomain", subdomain, target, isActive: true });
});

test("GET /subdomains/{subdomain} of nobody is 404, of what cannot be one 400", async () => {
  const { send } = await as();
  expect((await send("GET", "/v1/subdomains/nobody")).status).toBe(404);
  for (const bad of ["ab", "-ab", "ab-", "Acme", "a_b", "x".repeat(33)]) {
    const { status, body } = await send("GET", `/v1/subdomains/${bad}`);
    expect([status, body.error.issues[0].path]).toEqual([400, "path.subdomain"]);
  }
});
