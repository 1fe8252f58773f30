import { generateKeyPairSync, type JsonWebKey } from "node:crypto";
import type { Caller, UserCaller } from "@octavo/shared/contracts/callers";
import type { EventType } from "@octavo/shared/contracts/events/define";
import type { Role } from "@octavo/shared/contracts/roles";
import { createSigner } from "@octavo/shared/identity";
import { newId } from "@octavo/shared/ids";
import { createLog } from "@octavo/shared/log";
import { createVault } from "@octavo/shared/secrets";
import { testSchema } from "@octavo/shared/testing/schema";
import { createUrls } from "@octavo/shared/urls";
import type { z } from "zod";
import { contentAt } from "../content/client.js";
import type { Database } from "../db/database.js";
import { migrations } from "../migrations.js";
import { router } from "../router.js";
import { type Ctx, createCaller } from "../trpc.js";
import { startContent } from "./content.js";

const urls = createUrls({
  base: "http://octavo.test",
  app: "http://octavo.test/app",
  sites: "http://octavo.test/sites",
});

const user = (organizations: Record<string, Role | null>): UserCaller => ({
  kind: "user",
  id: newId(),
  name: "Ada",
  organizations,
  teams: [],
  token: newId(),
});

function keyOf(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const jwk = (key: typeof privateKey): JsonWebKey => ({ ...key.export({ format: "jwk" }), kid });
  return { signer: createSigner(jwk(privateKey) as never), public: jwk(publicKey) };
}

/** The service on a schema of its own, above a content service that is one over HTTP as well. */
export async function testSites() {
  const home = await testSchema<Database>({ service: "sites", migrations });
  const keys = { user: keyOf("gateway"), service: keyOf("sites") };
  const content = await startContent({ keys: [keys.user.public, keys.service.public] }, urls);
  const log = createLog({ service: "sites", level: "silent" });
  const ownIdentity = () => keys.service.signer.sign({ kind: "service", service: "sites" });
  const client = contentAt({ url: content.url, ownIdentity });
  const vault = createVault(Buffer.alloc(32, 7).toString("base64"));
  const resources = { content: client, vault, db: home.db, log, urls, clock: () => new Date() };

  function contextOf(caller: Caller, identity?: string): Ctx {
    return { ...resources, caller, identity, requestId: newId(), reply: { headers: {} } };
  }
  async function calling(caller: Caller, override: Partial<Ctx> = {}) {
    const { signer } = caller.kind === "user" ? keys.user : keys.service;
    const ctx = { ...contextOf(caller, await signer.sign(caller)), ...override };
    return createCaller(router)(ctx);
  }

  return {
    ...home,
    content: { ...content, client },
    vault,
    contextOf,
    /** Calls as a user with these roles; in no organization at all without any. */
    as: (organizations: Record<string, Role | null> = {}, override?: Partial<Ctx>) =>
      calling(user(organizations), override),
    /** A user with these roles, who may lose them later. */
    someone: async (organizations: Record<string, Role | null>) => {
      const caller = user(organizations);
      return { id: caller.id, api: await calling(caller) };
    },
    asService: () => calling({ kind: "service", service: "sites" }),
    /** The payloads of the events of one kind, oldest first. */
    emitted: async <Payload extends z.ZodType>({ name }: EventType<Payload>) => {
      const rows = await home.db
        .selectFrom("outbox")
        .selectAll()
        .where("name", "=", name)
        .orderBy("position")
        .execute();
      return rows.map(({ body }) => (body as { payload: z.output<Payload> }).payload);
    },
    end: async () => {
      await content.stop();
      await home.drop();
    },
  };
}
