import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";
import { moduleOf } from "../testing/scripts.js";
import { computeDocument, computeRevision, loadComputing } from "./rules.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
});
afterAll(() => home.end());

const SOURCE = moduleOf(`
  if (event.type === "content_compute_revision") {
    if (event.sourceId === "broken") return new Response("rubbish");
    return Response.json({ pages: [{ type: "document", id: event.sourceId, title: event.props.title,
      values: event.dependencies.spec.value }], files: [] });
  }
  if (event.type === "content_compute_document")
    return Response.json({ document: { object: "document", data: {}, nodes: [] } });
  return new Response("OK");`);

const source = (id: string) => ({ id, title: "Model", configuration: { componentId: "form" } });

async function installed() {
  const { call } = await home.as({ [acme]: "create" });
  const contentSources = [source("models"), source("broken")];
  const input = publication({
    organization: acme,
    script: SOURCE,
    contentSources,
    scopes: ["space:content:write"],
  });
  const { integrationName } = input;
  await call.integrations.publish(input);
  await call.installations.install({ integrationName, organization: acme });
  const asked = { props: { title: "Pets" }, dependencies: { spec: { ref: {}, value: "v" } } };
  return { integrationName, asked };
}

const at = (name: string, spaceId: string) => loadComputing(home.ownContext(), name, spaceId);

test("a script computes the pages of a source, and one document", async () => {
  const { integrationName, asked } = await installed();
  const computing = await at(integrationName, home.content.space(acme));
  const of = { sourceId: "models", ...asked };
  expect(await computeRevision(home.ownContext(), computing, of)).toEqual({
    pages: [{ type: "document", id: "models", title: "Pets", values: "v" }],
    files: [],
  });
  expect(await computeDocument(home.ownContext(), computing, of)).toMatchObject({
    document: { object: "document" },
  });
});

test("404 for a source that is not declared or a space where the integration is not at work, 502 for rubbish", async () => {
  const { integrationName, asked } = await installed();
  const elsewhere = home.content.space(home.orgs.add());
  await expect(at(integrationName, elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const computing = await at(integrationName, home.content.space(acme));
  const compute = (sourceId: string) => computeRevision(home.ownContext(), computing, { sourceId, ...asked });
  await expect(compute("unknown")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(compute("broken")).rejects.toMatchObject({ code: "BAD_GATEWAY" });
});
