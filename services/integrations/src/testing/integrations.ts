import { randomBytes } from "node:crypto";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { createEgress } from "@octavo/shared/egress/client";
import { newId } from "@octavo/shared/ids";
import { findJob } from "@octavo/shared/testing/jobs";
import { serviceTest } from "@octavo/shared/testing/service";
import { contentAt } from "../content/client.js";
import type { Database } from "../db/database.js";
import { assetRoute } from "../integrations/assets.js";
import type { PublishInput } from "../integrations/schema.js";
import { migrations } from "../migrations.js";
import { orgsAt } from "../orgs/client.js";
import { publicRoutes } from "../public-endpoints/routes.js";
import { router } from "../router.js";
import { startRuntime } from "../runtime/start.js";
import { sitesAt } from "../sites/client.js";
import { type Ctx, createCaller } from "../trpc.js";
import { startContent } from "./content.js";
import { around, ownIdentity, person, type Roles, self, sender } from "./identities.js";
import { startOrgs } from "./orgs.js";
import { startSites } from "./sites.js";

const operations = createCaller(router);

/** integrations, served over HTTP, above an orgs, a content and a sites that hold what a test gives them. */
export async function startIntegrations({
  allow = ["127.0.0.0/8"],
  timeoutMs = 10_000,
  gatewayUrl = "http://127.0.0.1:1",
}: {
  allow?: string[];
  timeoutMs?: number;
  gatewayUrl?: string;
} = {}) {
  const orgs = await startOrgs();
  const runtime = startRuntime({
    egress: createEgress({ allow }),
    log: around.log,
    timeoutMs,
    memory: 768,
    apiEndpoint: "http://octavo.test",
    gatewayUrl,
  });
  const [content, sites] = await Promise.all([startContent(orgs), startSites()]);
  const service = await serviceTest<Database, Ctx, ReturnType<typeof operations>>({
    around,
    migrations,
    jobs: true,
    operations,
    resources: {
      vault: around.vault,
      egress: createEgress({ allow }),
      apiEndpoint: "http://octavo.test",
      orgs: orgsAt({ url: orgs.url, ownIdentity }),
      content: contentAt({ url: content.url, ownIdentity }),
      sites: sitesAt({ url: sites.url, ownIdentity }),
      runtime,
      eventDays: 30,
    },
  });
  service.atEnd(runtime.stop);
  for (const neighbour of [orgs, content, sites]) service.atEnd(neighbour.end);
  const address = await service.serve(router, [
    assetRoute(() => service.base),
    ...publicRoutes(() => service.context(self)),
  ]);

  /** Somebody with these roles: `call` are the procedures, `send` is a request as the gateway forwards it. */
  async function as(roles: Roles, over: Partial<UserCaller> = {}) {
    const { caller, identity } = await person(roles, over);
    orgs.knows(caller.id, roles);
    return { caller, call: service.call(caller, { identity }), send: sender(address, identity) };
  }

  return {
    ...service,
    orgs,
    content,
    sites,
    address,
    as,
    /** The context of the service's own work, as its jobs and listeners get it. */
    ownContext: () => service.context(self),
    internal: service.call(self),
    gateway: service.call({ kind: "service", service: "gateway" }),
    /** The job that will deliver an event; nothing when there is none. */
    queued: (event: string) => findJob({ db: service.db }, { key: event }),
    /** The events in the outbox about an aggregate: name without `integrations.`, and payload. */
    emitted: service.emittedAbout,
  };
}

/** What a publication must say, with everything else left to the test. */
export const publication = (over: Partial<PublishInput> & { organization: string }): PublishInput => ({
  integrationName: `test-${newId()}`,
  title: "Diagrams",
  description: "Draws diagrams",
  scopes: ["space:content:read"],
  script: "export default {}",
  runtime: "v2",
  ...over,
});

/** A PNG picture of so many bytes, in base64: its header, and noise. */
export function pngOf(bytes: number): string {
  const picture = randomBytes(bytes);
  Buffer.from("89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61", "hex").copy(picture);
  return picture.toString("base64");
}
