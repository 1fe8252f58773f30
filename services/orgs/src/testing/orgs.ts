import type { Caller, UserCaller } from "@octavo/shared/contracts/callers";
import { createTxtLookup } from "@octavo/shared/dns/lookup";
import { startJobs } from "@octavo/shared/jobs/start";
import { type Roles, senderTo, serviceTest, userWith } from "@octavo/shared/testing/service";
import { surroundingsOf } from "@octavo/shared/testing/surroundings";
import type { Database } from "../db/database.js";
import { jobHandlers } from "../mail/enqueue.js";
import { migrations } from "../migrations.js";
import { createMailer } from "../network/mailer.js";
import { router } from "../router.js";
import { signInRoutes } from "../sign-in/saml/routes.js";
import { type Ctx, createCaller } from "../trpc.js";
import { buildersOn } from "./rows.js";

interface Neighbours {
  /** Who is asked for TXT records; nobody unless a test says. */
  dnsServers?: string[];
  /** Who takes letters; without it there is no mail. */
  smtpUrl?: string;
}

const operations = createCaller(router);

/** orgs, served over HTTP; people, organizations and what belongs to them are rows that a test makes. */
export async function startOrgs({ dnsServers = ["127.0.0.1:9"], smtpUrl }: Neighbours = {}) {
  const around = surroundingsOf("orgs", { sites: "http://octavo.test/s" });
  const mailer =
    smtpUrl === undefined ? undefined : createMailer({ url: smtpUrl, from: "octavo@octavo.test" });
  const service = await serviceTest<Database, Ctx, ReturnType<typeof operations>>({
    around,
    migrations,
    jobs: mailer !== undefined,
    operations,
    resources: { vault: around.vault, lookupTxt: createTxtLookup(dnsServers), mailer },
  });
  const { db, log, schema } = service;
  const inBackground = (part: object): Ctx => service.context(service.self, part);
  if (mailer) {
    const options = { databaseUrl: service.url, schema, db, log, jobHandlers, context: inBackground };
    service.atEnd((await startJobs(options)).stop);
  }
  const returns = [new URL("http://octavo.test/app"), new URL("https://docs.example.com/signed-in")];
  const address = await service.serve(router, signInRoutes(inBackground, returns));
  const rows = buildersOn(db);

  /** A new person with these roles, who sends requests as a client does. */
  async function as(roles: Roles = {}, over: Partial<UserCaller> = {}) {
    const id = await rows.person();
    for (const [organization, role] of Object.entries(roles))
      await rows.member({ organization, person: id, role });
    const caller = userWith(roles, { id, name: `Person ${id}`, ...over });
    if (over.token === undefined) await rows.token(caller);
    return { id, ...senderFor(caller) };
  }

  function senderFor(caller: Caller) {
    const send = senderTo(address, () => service.sign(caller));
    /** What a service asks over tRPC for this caller, in the shape of REST. */
    const ask = async (procedure: string, input: unknown) => {
      const response = await send("POST", `/trpc/${procedure}`, input);
      const { result, error }: TrpcResponse = response.body;
      const body = error ? { error: { message: error.message, ...error.data.refusal } } : result?.data;
      return { status: response.status, body: body as ReturnType<typeof JSON.parse> };
    };
    /** Accepts the invite with this address, as content has it accepted. */
    const accept = (address: string) => {
      const [, organizationId, inviteId] = /\/orgs\/([^/]+)\/invites\/([^/]+)$/.exec(address) ?? [];
      return ask("invites.accept", { organizationId, inviteId });
    };
    return { caller, call: service.call(caller), send, ask, accept };
  }

  return {
    ...service,
    rows,
    address,
    as,
    /** A caller as the gateway would sign it. */
    asCaller: senderFor,
    launcher: senderFor({ kind: "service", service: "launcher" }),
    gateway: senderFor({ kind: "service", service: "gateway" }),
    content: senderFor({ kind: "service", service: "content" }),
    /** The events that wait in the outbox, in their order: name without `orgs.`, and payload. */
    emitted: service.emittedAbout,
  };
}

/** A tRPC response. */
interface TrpcResponse {
  result?: { data?: unknown };
  error?: { message: string; data: { refusal?: object } };
}
