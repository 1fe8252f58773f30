import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { addPage } from "../harness/editing.js";
import { sharedStack } from "../harness/shared-stack.js";

// An integration that is unpublished while its script is at work, as another integration hears of it.

const LEAVING = "journey-leaving";
const WITNESS = "journey-witness";
const BUSY_MS = 3_000;

/** Returns at once, and is seen by its events. */
const WITNESSING = `export default { fetch: () => new Response("OK") };`;
/** Takes its time, and tells the witness what it has done. */
const SLOW = (witness: string) => `export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get("event"));
  if (event.type === "installation_setup") return new Response("OK");
  if (event.type !== "installation_deleted") await new Promise((done) => setTimeout(done, ${BUSY_MS}));
  if (event.type === "fetch") return new Response("worked to the end");
  const told = await fetch(${JSON.stringify(witness)} + "/" + event.type, { method: "POST" });
  return new Response("", { status: told.status });
} };`;

let call: Client;
let organization: string;

const made = async <T = { id: string }>(method: string, path: string, body?: object) => {
  const response = await call<T>(method, path, body);
  if (response.status > 204) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};

async function installed(name: string, script: string) {
  await made("POST", `/integrations/${name}`, {
    title: "Journey",
    description: "At work",
    runtime: "v2",
    script,
    organization,
    scopes: ["space:content:read"],
  });
  const path = `/integrations/${name}/installations`;
  return made<{ urls: { publicEndpoint: string } }>("POST", path, { organization });
}

/** The types of events that the witness was told of, in their order. */
async function told(): Promise<string[]> {
  const { body } = await call<{ items: { payload: { type: string; request?: { url: string } } }[] }>(
    "GET",
    `/integrations/${WITNESS}/events?limit=1000`,
  );
  return body.items.flatMap(({ payload }) => payload.request?.url.split("/").at(-1) ?? []).reverse();
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
});

test("unpublishing lets what is being delivered come to its end, then nothing of the integration is left", async () => {
  const witness = await installed(WITNESS, WITNESSING);
  const leaving = await installed(LEAVING, SLOW(witness.urls.publicEndpoint));
  const space = (await made("POST", `/orgs/${organization}/spaces`, { title: "Handbook" })).id;
  await addPage(call, space, "First");
  const asked = fetch(leaving.urls.publicEndpoint);
  await eventually(async () => {
    const { body } = await call<{ items: { payload: { type: string }; status?: string }[] }>(
      "GET",
      `/integrations/${LEAVING}/events`,
    );
    const types = body.items.map(({ payload }) => payload.type);
    return types.includes("installation_setup") && types.includes("space_content_updated");
  });
  expect((await call("DELETE", `/integrations/${LEAVING}`)).status).toBeLessThan(300);
  // It is at work still, and nobody finds it any more.
  expect((await call("GET", `/integrations/${LEAVING}`)).status).toBe(404);
  const response = await asked;
  expect([response.status, await response.text()]).toEqual([200, "worked to the end"]);
  await eventually(async () => (await told()).includes("installation_deleted"));
  expect((await told()).at(-1)).toBe("installation_deleted");
  expect(await told()).toContain("space_content_updated");
  expect((await fetch(leaving.urls.publicEndpoint)).status).toBe(404);
  // The name is free, for one that begins anew.
  const again = await made<{ version: number }>("POST", `/integrations/${LEAVING}`, {
    title: "Journey",
    description: "Anew",
    runtime: "v2",
    script: WITNESSING,
    organization,
    scopes: [],
  });
  expect(again.version).toBe(1);
  for (const name of [LEAVING, WITNESS]) await made("DELETE", `/integrations/${name}`);
});
