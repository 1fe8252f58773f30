import { generateKeyPairSync } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Caller, UserCaller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { createHttpServer } from "@octavo/shared/http";
import { createSigner, createVerifier, IDENTITY_HEADER } from "@octavo/shared/identity";
import { newId } from "@octavo/shared/ids";
import { startJobs } from "@octavo/shared/jobs/start";
import { createLog } from "@octavo/shared/log";
import { createVault } from "@octavo/shared/secrets";
import { counted } from "@octavo/shared/testing/counted";
import { testSchema } from "@octavo/shared/testing/schema";
import { createUrls } from "@octavo/shared/urls";
import type { Database } from "../db/database.js";
import { performers } from "../mail/post.js";
import { migrations } from "../migrations.js";
import { createTxtLookup } from "../network/dns.js";
import { createMailer } from "../network/mailer.js";
import { router } from "../router.js";
import { signInRoutes } from "../sign-in/saml/routes.js";
import { type Ctx, createCaller } from "../trpc.js";
import { buildersOn } from "./rows.js";

interface Surroundings {
  /** Who is asked for TXT records; nobody unless a test says. */
  dnsServers?: string[];
  /** Who takes letters; without it there is no mail. */
  smtpUrl?: string;
}

/** orgs on a schema of its own, served over HTTP, with a clock that a test may set. */
export async function startOrgs({ dnsServers = ["127.0.0.1:9"], smtpUrl }: Surroundings = {}) {
  const schema = await testSchema<Database>({ service: "orgs", migrations, jobs: smtpUrl !== undefined });
  const { db } = schema;
  const clock = { now: () => new Date() };
  const keys = { gateway: newKey("gateway"), launcher: newKey("launcher") };
  const log = createLog({ service: "orgs", level: "silent" });
  const urls = createUrls({
    base: "http://octavo.test",
    app: "http://octavo.test/app",
    sites: "http://octavo.test/s",
  });
  const vault = createVault(Buffer.alloc(32, 7).toString("base64"));
  const lookupTxt = createTxtLookup(dnsServers);
  const mailer =
    smtpUrl === undefined ? undefined : createMailer({ url: smtpUrl, from: "octavo@octavo.test" });
  const base = { db, log, urls, vault, lookupTxt, mailer, clock: () => clock.now() };
  const inBackground = (part: object): Ctx => ({
    ...base,
    caller: { kind: "service", service: "orgs" },
    requestId: newId(),
    reply: { headers: {} },
    ...part,
  });
  const { url: databaseUrl } = schema;
  const jobs =
    mailer &&
    (await startJobs({ databaseUrl, schema: schema.schema, db, log, performers, context: inBackground }));
  const verifier = createVerifier({ keys: [keys.gateway.public, keys.launcher.public] });
  const server = createHttpServer({
    name: "orgs",
    version: "0.0.0",
    router,
    rawRoutes: signInRoutes(inBackground, [
      new URL("http://octavo.test/app"),
      new URL("https://docs.example.com/signed-in"),
    ]),
    verifier,
    base: base as never,
    unready: async () => [],
    log,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = createCaller(router);
  const rows = buildersOn(db);

  const contextOf = (caller: Caller) => ({ ...base, caller, requestId: newId(), reply: { headers: {} } });
  /** Procedures called as anybody, without HTTP. */
  const callAs = (caller: Caller) => call(contextOf(caller));

  /** How many queries a call takes. */
  async function queriesOf(caller: Caller, ask: (as: ReturnType<typeof callAs>) => Promise<unknown>) {
    const { db, queries } = counted(base.db);
    await ask(call({ ...contextOf(caller), db }));
    return queries();
  }

  /** A new person with these roles, who sends requests as a client does. */
  async function as(roles: Record<string, Role | null> = {}, over: Partial<UserCaller> = {}) {
    const id = await rows.person();
    for (const [organization, role] of Object.entries(roles))
      await rows.member({ organization, person: id, role });
    const caller = {
      kind: "user" as const,
      id,
      name: `Person ${id}`,
      organizations: roles,
      teams: [],
      token: newId(),
      ...over,
    };
    if (over.token === undefined) await rows.token(caller);
    return { id, ...senderFor(caller) };
  }

  function senderFor(caller: Caller) {
    const signer = caller.kind === "user" ? keys.gateway.signer : keys.launcher.signer;
    const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
      const headers: Record<string, string> = { [IDENTITY_HEADER]: await signer.sign(caller), ...more };
      if (body !== undefined) headers["content-type"] = "application/json";
      const answer = await fetch(address + path, { method, headers, body: JSON.stringify(body) });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
    };
    /** What a service asks over tRPC for this caller, told as REST would tell it. */
    const ask = async (procedure: string, input: unknown) => {
      const headers = { [IDENTITY_HEADER]: await signer.sign(caller), "content-type": "application/json" };
      const url = `${address}/trpc/${procedure}`;
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(input) });
      const { result, error } = (await answer.json()) as Answered;
      const body = error ? { error: { message: error.message, ...error.data.refusal } } : result?.data;
      return { status: answer.status, body: body as ReturnType<typeof JSON.parse> };
    };
    /** Accepts the invite with this address, as content has it accepted. */
    const accept = (address: string) => {
      const [, organizationId, inviteId] = /\/orgs\/([^/]+)\/invites\/([^/]+)$/.exec(address) ?? [];
      return ask("invites.accept", { organizationId, inviteId });
    };
    return { caller, call: callAs(caller), send, ask, accept };
  }

  /** The events that wait in the outbox, in their order: name without `orgs.`, and payload. */
  async function emitted(aggregate: string): Promise<[name: string, payload: unknown][]> {
    const events = await db
      .selectFrom("outbox")
      .select(["name", "body"])
      .where("aggregate", "=", aggregate)
      .orderBy("position")
      .execute();
    return events.map(({ name, body }) => [
      name.replace("orgs.", ""),
      (body as { payload: unknown }).payload,
    ]);
  }

  return {
    db,
    vault,
    rows,
    clock,
    address,
    as,
    /** A caller as the gateway would sign it. */
    asCaller: senderFor,
    queriesOf,
    launcher: senderFor({ kind: "service", service: "launcher" }),
    emitted,
    end: async () => {
      await jobs?.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await schema.drop();
    },
  };
}

/** A tRPC answer. */
interface Answered {
  result?: { data?: unknown };
  error?: { message: string; data: { refusal?: object } };
}

function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signer = createSigner({ ...privateKey.export({ format: "jwk" }), kid });
  return { signer, public: { ...publicKey.export({ format: "jwk" }), kid } };
}
