import { beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/client.js";
import { sharedStack } from "../harness/shared-stack.js";

let hostile: Client;
let honest: Client;
let base: string;
beforeAll(async () => {
  const [one, other] = [await sharedStack(), await sharedStack()];
  [hostile, honest, base] = [createClient(one), createClient(other), one.base];
});

/** Publishes a script that serves its public endpoint, in the caller's organization. */
async function serve(call: Client, name: string, body: string) {
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const script = `export default { async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get("event"));
    const environment = JSON.parse(form.get("environment"));
    if (event.type !== "fetch") return new Response("OK");
    ${body} } }`;
  const { status } = await call("POST", `/integrations/${name}`, {
    title: "Script",
    description: "",
    scopes: [],
    visibility: "unlisted",
    organization,
    runtime: "v2",
    script,
  });
  expect(status).toBe(200);
  return `${base}/v1/integrations/${name}/public`;
}

test("a script that calls itself again and again, three times each, ends, and others are served meanwhile", async () => {
  const id = Date.now().toString(36);
  const again = await serve(
    hostile,
    `again-${id}`,
    `const ask = () => fetch(environment.integration.urls.publicEndpoint + "/again")
       .then(async (response) => (response.status === 200 ? Number(await response.text()) : 0), () => 0);
     const [a, b, c] = await Promise.all([ask(), ask(), ask()]);
     return new Response(String(1 + Math.max(a, b, c)));`,
  );
  const quiet = await serve(honest, `quiet-${id}`, 'return new Response("honest");');
  const asking = fetch(again);
  const beside = await Promise.all(Array.from({ length: 5 }, () => fetch(quiet)));
  expect(beside.map(({ status }) => status)).toEqual(beside.map(() => 200));
  const response = await asking;
  const text = await response.text();
  // Its requests are refused once thirty-two of one publisher are under way; on a slow machine the first one ends before
  // that, by the time that a script may take.
  if (response.status === 200) {
    expect(Number(text)).toBeGreaterThan(1);
    expect(Number(text)).toBeLessThanOrEqual(32);
  } else {
    expect(response.status).toBe(502);
    expect(text).toContain("Integration: did not respond");
  }
  // Nothing of it goes on: its publisher's places are free again.
  const own = await serve(hostile, `own-${id}`, 'return new Response("own");');
  await expect.poll(async () => (await fetch(own)).status).toBe(200);
  expect((await fetch(quiet)).status).toBe(200);
});
