import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";
import { moduleOf } from "../testing/scripts.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
});
afterAll(() => home.end());

const asContent = () => home.call({ kind: "service", service: "content" });

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
  const input = publication({ organization: acme, script: SOURCE, contentSources });
  const { integrationName } = input;
  await call.integrations.publish(input);
  await call.installations.install({ integrationName, organization: acme });
  const asked = { props: { title: "Pets" }, dependencies: { spec: { ref: {}, value: "v" } } };
  return { call, integrationName, asked };
}

test("a script computes the pages of a source, and one document, for services alone", async () => {
  const { call, integrationName, asked } = await installed();
  const spaceId = home.content.space(acme);
  const of = { integrationName, spaceId, sourceId: "models", ...asked };
  expect(await asContent().contentSources.computeRevision(of)).toEqual({
    pages: [{ type: "document", id: "models", title: "Pets", values: "v" }],
    files: [],
  });
  expect(await asContent().contentSources.computeDocument(of)).toMatchObject({
    document: { object: "document" },
  });
  await expect(call.contentSources.computeRevision(of)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("404 for a source that is not declared or a space where the integration is not at work, 502 for rubbish", async () => {
  const { integrationName, asked } = await installed();
  const here = home.content.space(acme);
  const elsewhere = home.content.space(home.orgs.add());
  const compute = (spaceId: string, sourceId: string) =>
    asContent().contentSources.computeRevision({ integrationName, spaceId, sourceId, ...asked });
  await expect(compute(here, "unknown")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(compute(elsewhere, "models")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(compute(here, "broken")).rejects.toMatchObject({ code: "BAD_GATEWAY" });
});
