import type { Caller, UserCaller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { describe as described } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { Updateable } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  boundTo,
  forgetIdentity,
  requireRole,
  requireStoredRole,
  requireUnboundToken,
  withRoles,
} from "./access/identity.js";
import type { Database } from "./db/database.js";
import type { Action } from "./permissions.js";
import { startOrgs } from "./testing/orgs.js";
import type { Ctx } from "./trpc.js";

const { db, rows, as, end } = await startOrgs();
afterAll(end);

const NOW = new Date("2026-01-01T00:00:00.000Z");
const contextOf = (caller: Caller) =>
  ({ db, caller, clock: () => NOW, reply: { headers: {} } }) as object as Ctx;

let acme: string;
let other: string;
beforeAll(async () => {
  acme = await rows.organization();
  other = await rows.organization();
});

interface Holder {
  role?: Role | null;
  disabled?: boolean;
  organization?: string;
  token?: Updateable<Database["token"]>;
}

/** A member whose identity does not have that yet, with a token of these values. */
async function holder({ role = "edit", disabled = false, organization = acme, token = {} }: Holder = {}) {
  const { caller } = await as();
  const user = caller as UserCaller;
  await rows.member({ organization, person: user.id, role, disabled });
  if (Object.keys(token).length > 0) await setToken(user, token);
  return user;
}

const setToken = (user: UserCaller, token: Updateable<Database["token"]>) =>
  db.updateTable("token").set(token).where("id", "=", user.token).execute();

const outcome = (result: Promise<unknown>) =>
  result.then(
    () => "entered",
    (error: unknown) => {
      const { code, message, details } = described(error);
      const challenge = details.headers?.["www-authenticate"];
      return [code, message, details.reason, challenge].filter((part) => part !== undefined);
    },
  );
const ENDED = [
  "UNAUTHORIZED",
  "Authorization: the token was revoked or has expired",
  "invalid_token",
  'Bearer realm="octavo", error="invalid_token"',
];
const NOT_FOUND = ["NOT_FOUND", "Organization: not found"];
const FORBIDDEN = ["FORBIDDEN", "Organization: needs the role create"];

/** Comes in both ways: by the identity or the database, and by the database alone. */
async function enterings(caller: Caller, action: Action, organization = acme) {
  const ctx = contextOf(caller);
  return [
    await outcome(requireRole(ctx, organization, action)),
    await outcome(requireStoredRole(ctx, organization, action)),
  ];
}

test("a member without a role in the identity enters with the stored role, and keeps other roles", async () => {
  const caller = { ...(await holder()), organizations: { [other]: "read" as const } };
  for (const entering of [requireRole, requireStoredRole]) {
    const entered = await entering(contextOf(caller), acme, "organization.listMembers");
    expect(entered.caller).toMatchObject({
      id: caller.id,
      organizations: { [acme]: "edit", [other]: "read" },
    });
  }
  expect(await enterings(caller, "organization.createContent")).toEqual([FORBIDDEN, FORBIDDEN]);
  expect(await enterings(caller, "organization.view")).toEqual(["entered", "entered"]);
});

test("a role in the identity is trusted, except where the stored one decides", async () => {
  const known = { ...(await holder({ role: "edit" })), organizations: { [acme]: "create" as const } };
  expect(await enterings(known, "organization.createContent")).toEqual(["entered", FORBIDDEN]);
  const former = { ...(await as()).caller, organizations: { [acme]: "create" as const } } as Caller;
  expect(await enterings(former, "organization.view")).toEqual(["entered", NOT_FOUND]);
});

test("nobody enters who is no member, is disabled, or is a member of elsewhere", async () => {
  const strangers = [
    (await as()).caller,
    await holder({ disabled: true }),
    await holder({ organization: other }),
  ];
  for (const caller of strangers)
    expect(await enterings(caller, "organization.view")).toEqual([NOT_FOUND, NOT_FOUND]);
});

test("a service enters what there is, a script no organization that it is not installed in", async () => {
  const service = { kind: "service", service: "content" } as const;
  expect(await enterings(service, "organization.admin")).toEqual(["entered", "entered"]);
  expect(await outcome(requireRole(contextOf(service), newId(), "organization.view"))).toEqual(NOT_FOUND);
  const script = {
    kind: "integration",
    integration: "i",
    installation: "i1",
    scopes: [],
    token: "t",
  } as const;
  expect(await enterings({ ...script, scopes: [], organization: acme }, "organization.listTeams")).toEqual([
    "entered",
    "entered",
  ]);
  expect(await enterings({ ...script, scopes: [], organization: other }, "organization.view")).toEqual([
    NOT_FOUND,
    NOT_FOUND,
  ]);
});

test("a bound token reaches its organization alone, one that waits with an invite that of the invite", async () => {
  const invite = async (organization: string) => {
    const id = newId();
    await db
      .insertInto("invite")
      .values({ id, organization, email: `${id}@example.com` })
      .execute();
    return id;
  };
  const here = [{ organization: acme }, { invite: await invite(acme) }];
  for (const token of here) {
    const caller = await holder({ token });
    expect(await enterings(caller, "organization.view")).toEqual(["entered", "entered"]);
    expect(await boundTo(contextOf(caller))).toBe(acme);
    expect(await outcome(requireUnboundToken(contextOf(caller)))).toEqual([
      "FORBIDDEN",
      "Token: is bound to an organization and does not reach this",
      "bound_token",
    ]);
  }
  for (const token of [{ organization: other }, { invite: await invite(other) }]) {
    const caller = await holder();
    await rows.member({ organization: other, person: caller.id });
    await setToken(caller, token);
    expect(await enterings(caller, "organization.view")).toEqual([NOT_FOUND, NOT_FOUND]);
    expect(await enterings(caller, "organization.view", other)).toEqual(["entered", "entered"]);
  }
});

test("a token that has ended enters nothing, to the moment, and is refused as ended where the stored role decides", async () => {
  const ends = (at: number) => holder({ token: { expires_at: new Date(NOW.getTime() + at).toISOString() } });
  const alive = await ends(1);
  expect(await enterings(alive, "organization.view")).toEqual(["entered", "entered"]);
  expect(await requireUnboundToken(contextOf(alive))).toMatchObject({ id: alive.id });
  expect(await boundTo(contextOf(alive))).toBeNull();
  const revoked = await holder();
  await db.deleteFrom("token").where("id", "=", revoked.token).execute();
  for (const caller of [await ends(0), revoked]) {
    expect(await enterings(caller, "organization.view")).toEqual([NOT_FOUND, ENDED]);
    expect(await outcome(requireUnboundToken(contextOf(caller)))).toEqual(ENDED);
    expect(await outcome(boundTo(contextOf(caller)))).toEqual(ENDED);
  }
});

test("who is no user is bound to nothing and acts for nobody", async () => {
  const ctx = contextOf({ kind: "service", service: "content" });
  expect(await boundTo(ctx)).toBeNull();
  expect(await outcome(requireUnboundToken(ctx))).toEqual(["FORBIDDEN", "Caller: a user is needed"]);
  expect(withRoles(ctx, { [acme]: "admin" })).toBe(ctx);
});

test("an organization that insists on single sign-on is entered by a sign-in, a service account or an administrator", async () => {
  const organization = await rows.organization({ sso: true });
  const provider = newId();
  await db.insertInto("saml_provider").values({ id: provider, organization, label: "IdP" }).execute();
  const enters = async (holds: Holder) =>
    enterings(await holder({ organization, ...holds }), "organization.listTeams", organization);
  expect(await enters({})).toEqual([NOT_FOUND, NOT_FOUND]);
  expect(await enters({ role: "create" })).toEqual([NOT_FOUND, NOT_FOUND]);
  expect(await enters({ role: "admin" })).toEqual(["entered", "entered"]);
  expect(await enters({ token: { organization, saml_provider: provider } })).toEqual(["entered", "entered"]);
  const account = await holder({ organization });
  await db.updateTable("person").set({ organization }).where("id", "=", account.id).execute();
  expect(await enterings(account, "organization.listTeams", organization)).toEqual(["entered", "entered"]);
});

test("roles that are added are found by their organizations' ids alone", async () => {
  const { caller } = withRoles(contextOf(await holder()), { [acme]: null });
  expect((caller as UserCaller).organizations[acme]).toBeNull();
  expect((caller as UserCaller).organizations.constructor).toBeUndefined();
});

test("a response names all whose identity changed", () => {
  const ctx = contextOf({ kind: "service", service: "content" });
  forgetIdentity(ctx, "ada");
  expect(ctx.reply.headers).toEqual({ "x-octavo-identity-changed": "ada" });
  forgetIdentity(ctx, "eve");
  expect(ctx.reply.headers).toEqual({ "x-octavo-identity-changed": "ada,eve" });
});
