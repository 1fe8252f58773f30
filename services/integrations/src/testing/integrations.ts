import { randomBytes } from "node:crypto";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { createEgress } from "@octavo/shared/egress/client";
import { createHttpServer } from "@octavo/shared/http";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { createLog } from "@octavo/shared/log";
import { createVault } from "@octavo/shared/secrets";
import { findJob } from "@octavo/shared/testing/jobs";
import { testSchema } from "@octavo/shared/testing/schema";
import { createUrls } from "@octavo/shared/urls";
import type { Database } from "../db/database.js";
import { assetRoute } from "../integrations/assets.js";
import type { PublishInput } from "../integrations/schema.js";
import { migrations } from "../migrations.js";
import { orgsAt } from "../orgs/client.js";
import { router } from "../router.js";
import { type Ctx, createCaller } from "../trpc.js";
import { ownIdentity, person, type Roles, self, sender, verifier } from "./identities.js";
import { listen, shut } from "./listening.js";
import { startOrgs } from "./orgs.js";

const log = createLog({ service: "integrations", level: process.env.TEST_LOG ?? "silent" });
const urls = createUrls({
  base: "http://octavo.test",
  app: "http://octavo.test/app",
  sites: "http://octavo.test/sites",
});

/** integrations on a schema of its own, served over HTTP, above an orgs that knows the organizations it is told of. */
export async function startIntegrations({ allow = ["127.0.0.0/8"] }: { allow?: string[] } = {}) {
  const schema = await testSchema<Database>({ service: "integrations", migrations });
  const { url: databaseUrl, schema: name } = schema;
  const [orgs] = await Promise.all([startOrgs(), prepareQueue({ databaseUrl, schema: name, log })]);
  const vault = createVault(randomBytes(32).toString("base64"));
  const base = {
    db: schema.db,
    log,
    urls,
    clock: () => new Date(),
    vault,
    egress: createEgress({ allow }),
    apiEndpoint: "http://octavo.test",
    orgs: orgsAt({ url: orgs.url, ownIdentity }),
  };
  const server = createHttpServer({
    name: "integrations",
    version: "0.0.0",
    router,
    rawRoutes: [assetRoute(() => base)],
    verifier,
    base: base as never,
    unready: async () => [],
    log,
  });
  const address = await listen(server);
  const call = createCaller(router);

  /** The context of the service's own work, as its jobs and listeners get it. */
  const ownContext = (): Ctx => ({ ...base, caller: self, requestId: newId(), reply: { headers: {} } });

  /** Somebody with these roles: `call` are the procedures, `send` is a request as the gateway forwards it. */
  async function as(roles: Roles, over: Partial<UserCaller> = {}) {
    const { caller, identity } = await person(roles, over);
    if (caller.kind === "user") orgs.knows(caller.id, roles);
    const context = { ...base, caller, identity, requestId: newId(), reply: { headers: {} } };
    return { call: call(context), send: sender(address, identity) };
  }

  return {
    ...schema,
    vault,
    orgs,
    address,
    as,
    ownContext,
    internal: call(ownContext()),
    /** The job that will deliver an event; nothing when there is none. */
    queued: (event: string) => findJob({ db: schema.db }, { key: event }),
    /** The events in the outbox about an aggregate: name without `integrations.`, and payload. */
    emitted: async (aggregate: string) => {
      const rows = await schema.db
        .selectFrom("outbox")
        .select(["name", "body"])
        .where("aggregate", "=", aggregate)
        .where("name", "like", "integrations.%")
        .orderBy("position")
        .execute();
      return rows.map(({ name, body }) => [
        name.replace("integrations.", ""),
        (body as { payload: unknown }).payload,
      ]);
    },
    end: async () => {
      await Promise.all([shut(server), orgs.end()]);
      await schema.drop();
    },
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
