import { contentClient } from "@octavo/content/client";
import { integrationsClient } from "@octavo/integrations/client";
import { openState } from "@octavo/launcher/state";
import { orgsClient } from "@octavo/orgs/client";
import { createSigner, type Signer } from "@octavo/shared/identity";
import { sitesClient } from "@octavo/sites/client";
import { TRPCClientError } from "@trpc/client";
import { beforeAll, expect, test } from "vitest";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";

type Identity = () => Promise<string> | undefined;

/** The services as a TypeScript service calls them: without the gateway, with a signed identity. */
const clientsOf = ({ port }: SharedStack, identity: Identity) => {
  const at = (above: number) => ({ url: `http://127.0.0.1:${port + above}`, identity });
  return {
    orgs: orgsClient(at(1)),
    content: contentClient(at(2)),
    sites: sitesClient(at(3)),
    integrations: integrationsClient(at(4)),
  };
};

let stack: SharedStack;
let signer: Signer;
/** With the identity of the service that calls them. */
let asGateway: ReturnType<typeof clientsOf>;
let asIntegrations: ReturnType<typeof clientsOf>;
/** With the identity of the administrator, handed on. */
let asUser: ReturnType<typeof clientsOf>;
let organizationId: string;

beforeAll(async () => {
  stack = await sharedStack();
  const { signingKeys } = openState(stack.dataDir).state;
  signer = createSigner(signingKeys.gateway);
  const integrations = createSigner(signingKeys.integrations);
  asGateway = clientsOf(stack, () => signer.sign({ kind: "service", service: "gateway" }));
  asIntegrations = clientsOf(stack, () => integrations.sign({ kind: "service", service: "integrations" }));
  const resolved = await asGateway.orgs.tokens.resolve.query({ token: stack.token });
  asUser = clientsOf(stack, () => signer.sign(resolved!.caller));
  const { items } = await asUser.orgs.organizations.list.query({});
  organizationId = items[0]!.id;
});

test("a space is made, edited and merged, shown on a site, and looked up by the ids of both", async () => {
  const { content, sites } = asUser;
  const space = await content.spaces.create.mutate({ organizationId, title: "Typed" });
  const { id: changeRequestId } = await content.changeRequests.create.mutate({ spaceId: space.id });
  const one = { spaceId: space.id, changeRequestId };
  await content.changeRequests.edit.mutate({
    ...one,
    changes: [{ operation: "insert_page", title: "Start", document: { markdown: "# Start\n\nText.\n" } }],
  });
  expect(await content.changeRequests.merge.mutate(one)).toMatchObject({ result: "merge" });
  const { pages } = await content.content.pages.query({ spaceId: space.id });
  expect(pages.map(({ title }) => title)).toEqual(["Start"]);

  const site = await sites.sites.create.mutate({ organizationId, title: "Typed", spaces: [space.id] });
  expect(await sites.publishing.publish.mutate({ organizationId, siteId: site.id })).toMatchObject({
    id: site.id,
    published: true,
  });
  const [foundSpaces, foundSites] = await Promise.all([
    asIntegrations.content.spaces.lookup.query({ ids: [space.id, "unknown"] }),
    asIntegrations.sites.sites.lookup.query({ ids: [site.id] }),
  ]);
  expect(foundSpaces.map(({ title }) => title)).toEqual(["Typed"]);
  expect(foundSites.map(({ id }) => id)).toEqual([site.id]);
});

test("an integration is published and installed, and its events are listed", async () => {
  const { integrations } = asUser;
  const integrationName = "typed-caller";
  const published = await integrations.integrations.publish.mutate({
    integrationName,
    organization: organizationId,
    title: "Typed",
    description: "Called by a typed client",
    scopes: ["space:content:read"],
    runtime: "v2",
    script: "export default {}",
  });
  expect(published.name).toBe(integrationName);
  const { id } = await integrations.installations.install.mutate({
    integrationName,
    organization: organizationId,
  });
  const installed = await integrations.installations.list.query({ integrationName });
  expect(installed.items.map((installation) => installation.id)).toEqual([id]);
  expect(await integrations.events.list.query({ integrationName })).toHaveProperty("items");
});

test("refusals keep their code, status, reason and issues", async () => {
  const { orgs, content, sites, integrations } = asUser;
  const missing = { code: "NOT_FOUND", httpStatus: 404 };
  const paths = { organizationId, siteId: "unknown" };
  expect(await refusalOf(orgs.teams.get.query({ organizationId, teamId: "unknown" }))).toMatchObject(missing);
  expect(await refusalOf(content.spaces.get.query({ spaceId: "unknown" }))).toMatchObject(missing);
  expect(await refusalOf(sites.sites.get.query(paths))).toMatchObject(missing);
  expect(await refusalOf(integrations.integrations.get.query({ integrationName: "unknown" }))).toMatchObject(
    missing,
  );

  expect(await refusalOf(content.spaces.list.query({ organizationId, limit: 5000 }))).toMatchObject({
    code: "BAD_REQUEST",
    refusal: { issues: [{ path: "limit" }] },
  });
  expect(await refusalOf(orgs.tokens.resolve.query({ token: stack.token }))).toMatchObject({
    code: "FORBIDDEN",
    httpStatus: 403,
  });
  const nobody = clientsOf(stack, () => undefined);
  expect(await refusalOf(nobody.content.spaces.get.query({ spaceId: "unknown" }))).toMatchObject({
    code: "UNAUTHORIZED",
    httpStatus: 401,
  });
});

/** What a refused call returns to its caller. */
async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof TRPCClientError)) throw new Error(`Expected a refusal, got ${error}`);
  return error.data;
}
