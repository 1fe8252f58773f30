import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { type Client, createClient, eventually } from "../harness/client.js";
import { addPage } from "../harness/editing.js";
import { sharedStack } from "../harness/shared-stack.js";
import { listOf } from "./basics.js";
import * as shapes from "./integration-shapes.js";

// An integration that has one of everything, and what the interface returns of it.

const NAME = "one-of-everything";
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61", "hex").toString(
  "base64",
);
const SCRIPT = `export default { async fetch(request) {
  const { type, props, action } = JSON.parse((await request.formData()).get("event"));
  if (type !== "ui_render") return new Response("OK");
  if (action?.action === "done") return Response.json({ type: "complete", returnValue: { a: 1 } });
  return Response.json({ type: "element", state: { open: true }, props, element: { type: "block", children: [] } });
} };`;
const described = { title: "T", description: "D" };
const form = {
  properties: {
    text: { ...described, type: "string", default: "a", completion_url: "/complete", enum: ["a", "b"] },
    number: { ...described, type: "number", default: 1 },
    flag: { ...described, type: "boolean", default: true },
    button: { ...described, type: "button", callback_url: "/oauth", button_text: "Connect" },
  },
  required: ["text"],
};
const publication = {
  title: "Everything",
  description: "One of everything",
  summary: "Long",
  runtime: "v2",
  script: SCRIPT,
  icon: PNG,
  previewImages: [PNG, PNG],
  visibility: "unlisted",
  target: "all",
  categories: ["content"],
  scopes: ["space:content:read", "space:metadata:read", "site:script:inject", "site:script:cookies"],
  blocks: [
    {
      id: "block",
      title: "Block",
      description: "D",
      icon: "i",
      urlUnfurl: ["https://example.com/**"],
      markdown: { codeblock: "everything", body: "content" },
    },
  ],
  contentSources: [
    { id: "source", title: "Source", description: "D", icon: "i", configuration: { componentId: "c" } },
  ],
  externalLinks: [{ url: "https://example.com/help", label: "Help" }],
  configurations: { account: form, space: form, site: { componentId: "site" } },
  secrets: { KEY: "hunter2" },
  contentSecurityPolicy: { "default-src": "'none'", "img-src": "*" },
};

let call: Client;
let organization: string;
let space: string;
let site: string;
let installation: string;
const one = () => `/integrations/${NAME}/installations/${installation}`;

/** Why a body has not the shape; nothing when it has. */
const misfit = (shape: z.ZodType, body: unknown) => shape.safeParse(body).error?.message ?? "";
async function fitting<Shape extends z.ZodType>(shape: Shape, method: string, path: string, body?: object) {
  const response = await call<z.output<Shape>>(method, path, body);
  expect([method, path, misfit(shape, response.body)]).toEqual([method, path, ""]);
  return shape.parse(response.body);
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Shaped" })).body.id;
  const shown = { title: "Shaped", spaces: [space] };
  site = (await call<{ id: string }>("POST", `/orgs/${organization}/sites`, shown)).body.id;
});

test("one of everything is published, installed at every level and changed in the shapes of the interface", async () => {
  const published = await fitting(shapes.Integration, "POST", `/integrations/${NAME}`, {
    ...publication,
    organization,
  });
  const { script, secrets, icon, runtime, previewImages, ...shown } = publication;
  expect(published).toMatchObject({ ...shown, version: 1, urls: { icon: expect.any(String) } });
  expect(JSON.stringify(published)).not.toContain("hunter2");

  const made = await fitting(shapes.Installation, "POST", `/integrations/${NAME}/installations`, {
    organization,
  });
  installation = made.id;
  const change = { externalIds: ["a"], configuration: { text: "b" } };
  await fitting(shapes.Installation, "PATCH", one(), { ...change, space_selection: "selected" });
  for (const [places, given, id, shape] of [
    ["spaces", { space }, space, shapes.SpaceInstallation],
    ["sites", { siteId: site }, site, shapes.SiteInstallation],
  ] as const) {
    const created = await call("POST", `${one()}/${places}?extended=true`, given);
    expect([created.status, misfit(shape, created.body)]).toEqual([201, ""]);
    expect(typeof (created.body as Record<string, unknown>)[places.slice(0, -1)]).toBe("object");
    for (const extended of [true, false]) {
      const query = `?extended=${extended}`;
      await fitting(shape, "PATCH", `${one()}/${places}/${id}${query}`, change);
      const read = await fitting<z.ZodType<Record<string, unknown>>>(
        shape,
        "GET",
        `${one()}/${places}/${id}${query}`,
      );
      expect(typeof read[places.slice(0, -1)]).toBe(extended ? "object" : "string");
      await fitting(listOf(shape), "GET", `${one()}/${places}${query}`);
      await fitting(listOf(shape), "GET", `/integrations/${NAME}/${places}${query}&externalId=a`);
    }
  }
  const blocks = await fitting(shapes.Blocks, "GET", `/spaces/${space}/integration-blocks`);
  expect(blocks.find(({ name }) => name === NAME)?.blocks).toEqual(publication.blocks);
  const scripts = await fitting(
    shapes.Scripts,
    "GET",
    `/orgs/${organization}/sites/${site}/integration-scripts`,
  );
  const injected = scripts.find(({ script }) => script.includes(NAME))!;
  expect(injected.contentSecurityPolicy!.split("; ").toSorted()).toEqual(["default-src 'none'", "img-src *"]);
  expect(injected.cookies).toBe(true);
});

test("what is rendered, served and told of it has the shapes of the interface, and so has each recorded event", async () => {
  const asked = {
    componentId: "block",
    props: { a: 1 },
    context: { type: "document", theme: "dark", spaceId: space, editable: false },
  };
  const path = `/integrations/${NAME}/render`;
  await fitting(shapes.RenderOutput, "POST", path, asked);
  await fitting(shapes.RenderOutput, "POST", path, { ...asked, state: {}, action: { action: "done" } });
  const configured = { type: "configuration_site", theme: "light", siteId: site };
  await fitting(shapes.RenderOutput, "POST", path, { componentId: "site", props: {}, context: configured });
  const { urls } = (await call<{ urls: { publicEndpoint: string } }>("GET", `${one()}/sites/${site}`)).body;
  await fetch(`${urls.publicEndpoint}/hook`, { method: "POST", body: "x" });
  await fetch(urls.publicEndpoint.replace(/\/public$/, "/script"));
  await addPage(call, space, "First");
  const events = () =>
    fitting(listOf(shapes.IntegrationEvent), "GET", `/integrations/${NAME}/events?limit=1000`);
  /** The events, as soon as each of these types is among them. */
  const recorded = (types: string[]) =>
    eventually(async () => {
      const found = await events();
      const seen = new Set<string>(found.items.map(({ payload }) => payload.type));
      return types.every((type) => seen.has(type)) ? found : undefined;
    });
  const types = [
    "installation_setup",
    "space_installation_setup",
    "site_installation_setup",
    "ui_render",
    "fetch",
    "fetch_published_script",
    "space_content_updated",
  ];
  // What is not installed any more when a change comes to integrations does not hear of it.
  await recorded(types);
  await call("DELETE", `${one()}/spaces/${space}`);
  await call("DELETE", `${one()}/sites/${site}`);
  const { items } = await recorded([...types, "space_installation_deleted", "site_installation_deleted"]);
  for (const { id, status } of items) {
    expect(status).toBe("success");
    await fitting(shapes.TracedEvent, "GET", `/integrations/${NAME}/events/${id}`);
  }
});
