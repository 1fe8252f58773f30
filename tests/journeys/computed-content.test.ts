import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { sharedStack } from "../harness/shared-stack.js";

let call: Client;
let organization: string;
const NAME = "computed-models";

interface Page {
  type: string;
  title: string;
  path?: string;
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
});

const made = async <T = { id: string }>(method: string, path: string, body: object) => {
  const response = await call<T>(method, path, body);
  if (response.status > 204) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
  return response.body;
};

const TYPE = `integration:${NAME}:models`;

/** Makes a page of each name in the properties; its document tells which specification it depends on. */
const scriptThat = (doc: string) => `export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get("event"));
  if (event.type === "content_compute_revision")
    return Response.json({ files: event.props.files, pages: event.props.names.map((name) => ({
      type: "document", id: name, title: name, computed: { type: "${TYPE}", props: { name } } })) });
  if (event.type === "content_compute_document") {
    const spec = event.dependencies.spec?.value?.lastVersion ?? "nothing";
    ${doc}
    const leaf = { object: "leaf", text, marks: [] };
    const nodes = [{ object: "block", type: "paragraph", nodes: [{ object: "text", leaves: [leaf] }] },
      { object: "block", type: "file", isVoid: true, data: { ref: { kind: "file", file: "notes" } } }];
    return Response.json({ document: { object: "document", data: {}, nodes } });
  }
  return new Response("not for us", { status: 406 });
} }`;

const publish = (doc: string, scopes: string[]) =>
  made("POST", `/integrations/${NAME}`, {
    title: "Models",
    description: "Computes",
    visibility: "unlisted",
    organization,
    runtime: "v2",
    scopes,
    contentSources: [{ id: "models", title: "Models", configuration: { componentId: "form" } }],
    script: scriptThat(doc),
  });

/** A version of the specification that the source depends on. */
const specify = (title: string) =>
  made("PUT", `/orgs/${organization}/openapi/${NAME}`, {
    source: { text: JSON.stringify({ openapi: "3.0.3", info: { title, version: "1" }, paths: {} }) },
  });

test("pages that a script computes follow its versions and their specification, and stay where it fails", async () => {
  const first = 'const text = "All about " + event.props.name + " of " + spec;';
  await publish(first, ["space:content:read"]);
  await specify("One");
  await eventually(async () => {
    const { body } = await call<{ lastVersion?: string }>("GET", `/orgs/${organization}/openapi/${NAME}`);
    return body.lastVersion;
  });
  const dependencies = { spec: { ref: { kind: "openapi", spec: NAME } } };
  const computedSource = { type: TYPE, props: { names: ["Cats", "Dogs"] }, dependencies };
  const { id: space } = await made("POST", `/orgs/${organization}/spaces`, {
    title: "Models",
    computedSource,
  });
  const pages = async () =>
    (await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`)).body.pages;
  const dogs = async () =>
    (await call<{ markdown: string }>("GET", `/spaces/${space}/content/path/dogs`)).body.markdown ?? "";
  expect((await pages()).map(({ type }) => type)).toEqual(["computed"]);

  // Without the scope to write content it computes nothing.
  await made("POST", `/integrations/${NAME}/installations`, { organization });
  await publish(first, ["space:content:read", "space:content:write"]);
  const shown = await eventually(async () => {
    const all = await pages();
    return all.length === 2 ? all : undefined;
  });
  expect(shown.map(({ title, path }) => [title, path])).toEqual([
    ["Cats", "cats"],
    ["Dogs", "dogs"],
  ]);
  const before = await dogs();
  expect(before).toMatch(/All about Dogs of \w{10,}/);

  await specify("Two");
  const after = await eventually(async () => {
    const text = await dogs();
    return text !== before && text;
  });
  expect(after).toMatch(/All about Dogs of \w{10,}/);
  await publish('const text = "More about " + event.props.name;', [
    "space:content:read",
    "space:content:write",
  ]);
  await eventually(async () => (await dogs()).includes("More about Dogs"));

  await publish('throw new Error("no such model");', ["space:content:write"]);
  const failed = await eventually(async () => {
    const { body } = await call<{ items: Recorded[] }>("GET", `/integrations/${NAME}/events?limit=100`);
    return body.items.find(
      ({ payload, status }) => payload.type === "content_compute_document" && status === "failed",
    );
  });
  const { body: event } = await call<Recorded>("GET", `/integrations/${NAME}/events/${failed.id}`);
  expect(JSON.stringify(event.trace)).toContain("no such model");
  expect(await dogs()).toContain("More about Dogs");

  const { body: audit } = await call<{ items: Audited[] }>(
    "GET",
    `/orgs/${organization}/audit-events?limit=1000`,
  );
  const computed = audit.items.filter(
    ({ action, target }) => action === "space.compute" && target.id === space,
  );
  expect(computed.map(({ actor }) => [actor.type, actor.id])).toContainEqual(["integration", NAME]);
});

interface Recorded {
  id: string;
  status: string;
  payload: { type: string; spaceId?: string };
  trace?: object;
}

interface Audited {
  action: string;
  actor: { type: string; id: string };
  target: { id: string };
}

test("the files of a source come with its pages, and one that cannot be had is named in the trace of the event", async () => {
  const words = "what the file says";
  const server = createServer(({ url }, res) =>
    url === "/notes.txt" ? res.end(words) : res.writeHead(404).end(),
  );
  const address = await new Promise<string>((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );
  const file = (name: string) => ({
    id: "notes",
    name,
    contentType: "text/plain",
    size: words.length,
    downloadURL: `${address}/${name}`,
  });
  await publish('const text = "All about " + event.props.name;', ["space:content:write"]);
  const files = [file("notes.txt"), { ...file("gone.txt"), id: "gone" }];
  const computedSource = { type: TYPE, props: { names: ["Owls"], files } };
  const { id: space } = await made("POST", `/orgs/${organization}/spaces`, { title: "Owls", computedSource });
  const listed = await eventually(async () => {
    const { body } = await call<{ items: Stored[] }>("GET", `/spaces/${space}/content/files`);
    return body.items.length > 0 ? body.items : undefined;
  });
  server.close();
  expect(listed).toMatchObject([{ name: "notes.txt", size: words.length }]);
  const { id, downloadURL } = listed[0]!;
  expect(await (await fetch(downloadURL)).text()).toBe(words);
  const page = await call("GET", `/spaces/${space}/content/path/owls?format=document`);
  expect(JSON.stringify(page.body)).toContain(JSON.stringify({ kind: "file", file: id }));
  const events = await call<{ items: Recorded[] }>("GET", `/integrations/${NAME}/events?limit=100`);
  const computed = events.body.items.find(
    ({ payload }) => payload.type === "content_compute_revision" && payload.spaceId === space,
  );
  expect(computed!.status).toBe("success");
  const { body: event } = await call<Recorded>("GET", `/integrations/${NAME}/events/${computed!.id}`);
  expect(JSON.stringify(event.trace)).toContain("gone.txt: File: 404");
});

interface Stored {
  id: string;
  name: string;
  size: number;
  downloadURL: string;
}

test("POST …/content/computed/revision has a source computed that no page declares", async () => {
  await publish('const text = "All about " + event.props.name;', ["space:content:write"]);
  const { id: space } = await made("POST", `/orgs/${organization}/spaces`, { title: "Empty" });
  const input = { source: { type: TYPE, props: { names: ["Birds"] } }, seed: "seed" };
  const path = `/spaces/${space}/content/computed/revision`;
  const first = await call<{ error: { reason: string } }>("POST", path, input);
  expect([first.status, first.body.error.reason]).toEqual([503, "computed_content_pending"]);
  const pages = await eventually(async () => {
    const response = await call<{ pages: Page[] }>("POST", path, input);
    return response.status === 200 ? response.body.pages : undefined;
  });
  expect(pages.map(({ title }) => title)).toEqual(["Birds"]);
});

test("what a script computed is shown no more once its integration is uninstalled, but by earlier revisions", async () => {
  await publish('const text = "All about " + event.props.name;', ["space:content:write"]);
  const computedSource = { type: TYPE, props: { names: ["Fish"] } };
  const { id: space } = await made("POST", `/orgs/${organization}/spaces`, { title: "Pond", computedSource });
  const types = async (of = "content") =>
    (await call<{ pages: Page[] }>("GET", `/spaces/${space}/${of}/pages`)).body.pages.map(({ type }) => type);
  await eventually(async () => (await types())[0] === "document");
  const { revision } = (await call<{ revision: string }>("GET", `/spaces/${space}`)).body;
  const { items } = (await call<{ items: { id: string }[] }>("GET", `/integrations/${NAME}/installations`))
    .body;
  await made("DELETE", `/integrations/${NAME}/installations/${items[0]!.id}`, {});
  await eventually(async () => (await types())[0] === "computed");
  expect(await types(`revisions/${revision}`)).toEqual(["document"]);
});
