import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Caller } from "@octavo/shared/contracts/callers";
import { describe } from "@octavo/shared/errors";
import { createSigner } from "@octavo/shared/identity";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bearerOf, createBearers, type ResolvedToken, refuseBearer } from "./bearer.js";
import { ada } from "./testing.js";

const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const signer = createSigner({ ...jwk, kid: "gateway" });

const holder: ResolvedToken = { caller: { ...ada, organizations: { acme: "admin", other: null } } };
const script: ResolvedToken = {
  caller: {
    kind: "integration",
    integration: "witness",
    installation: "i1",
    organization: "acme",
    scopes: ["space:content:read"],
    token: "t1",
  },
};

const T0 = Date.parse("2026-01-01T00:00:00.000Z");
const at = (ms: number) => vi.setSystemTime(T0 + ms);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: T0 }));
afterEach(() => void vi.useRealTimers());

/** Bearers whose lookups are settled one by one, in any order. */
function start({ isConnected = true } = {}) {
  const questions: ((token: ResolvedToken | null) => void)[] = [];
  const resolve = () => new Promise<ResolvedToken | null>((settle) => questions.push(settle));
  const bearers = createBearers({ resolve, signer, isConnected: () => isConnected });
  const ask = async (token: ResolvedToken | null) => {
    const resolved = bearers.principal("token");
    questions.at(-1)!(token);
    return resolved;
  };
  return { ...bearers, questions, ask, known: () => bearers.known("token") };
}

test.each([
  [true, 30_000],
  [false, 1_500],
])("while changes are isConnected or not (%s) a token is trusted for %i ms", async (isConnected, ms) => {
  const { ask, known, principal, questions } = start({ isConnected });
  const resolved = await ask(holder);
  expect(resolved?.caller).toEqual(holder.caller);
  at(ms - 1);
  expect(known()).toBe(resolved);
  expect(await principal("token")).toBe(resolved);
  at(ms);
  expect(known()).toBeUndefined();
  expect(questions).toHaveLength(1);
  expect(await ask({ ...script })).toMatchObject(script);
  expect(questions).toHaveLength(2);
});

test("the time for which a token is trusted counts from the start of its lookup, not from the end", async () => {
  const { principal, known, questions } = start();
  const pending = principal("token");
  at(20_000);
  questions[0]!(holder);
  await pending;
  at(30_000);
  expect(known()).toBeUndefined();
});

test("a token is refused from its expiry on, also when its lookup ends at that moment", async () => {
  const expiresAt = new Date(T0 + 5_000).toISOString();
  const { ask, known } = start();
  expect(await ask({ ...holder, expiresAt })).toBeDefined();
  at(4_999);
  expect(known()).toBeDefined();
  at(5_000);
  expect(known()).toBeUndefined();
  expect(await ask({ ...holder, expiresAt })).toBeUndefined();
});

test("an identity that is signed for a token lasts 120 s", async () => {
  const resolved = await start().ask(holder);
  const { iat, exp } = decodeJwt(resolved!.identity);
  expect([iat, exp! - iat!]).toEqual([T0 / 1000, 120]);
});

test("a token that was refused is nobody's without another question, also when it was somebody's before", async () => {
  const { ask, known, principal, questions } = start();
  await ask(holder);
  at(30_000);
  expect(await ask(null)).toBeUndefined();
  expect(known()).toBeNull();
  expect(await principal("token")).toBeUndefined();
  expect(questions).toHaveLength(2);
});

test.each([
  ["its user", holder, "user1"],
  ["the token of a user", holder, "token1"],
  ["an organization of its user", holder, "acme"],
  ["an organization where its user is a guest", holder, "other"],
  ["its integration", script, "witness"],
  ["its installation", script, "i1"],
  ["the organization of its installation", script, "acme"],
  ["the token of an integration", script, "t1"],
])("a token is forgotten when %s changes, and stays when others do", async (_, resolved, id) => {
  const { ask, known, drop } = start();
  await ask(resolved);
  drop(new Set(["somebody"]));
  expect(known()).toMatchObject({ caller: resolved.caller });
  drop(new Set(["somebody", id]));
  expect(known()).toBeUndefined();
});

test("the token of an integration that is installed nowhere is forgotten with the integration alone", async () => {
  const { installation: _, ...caller } = script.caller as Extract<Caller, { kind: "integration" }>;
  const { ask, known, drop } = start();
  await ask({ caller });
  drop(new Set(["i1", "undefined"]));
  expect(known()).toBeDefined();
  drop(new Set(["witness"]));
  expect(known()).toBeUndefined();
});

test("everything is forgotten when anything may have changed, refusals too", async () => {
  const { ask, known, dropAll } = start();
  await ask(holder);
  dropAll();
  expect(known()).toBeUndefined();
  await ask(null);
  expect(known()).toBeNull();
  dropAll();
  expect(known()).toBeUndefined();
});

test("a resolved identity is kept when others changed meanwhile, a refusal is not", async () => {
  const { principal, known, drop, questions } = start();
  const refused = principal("token");
  drop(new Set(["somebody"]));
  questions[0]!(null);
  expect(await refused).toBeUndefined();
  expect(known()).toBeUndefined();
  const resolved = principal("token");
  drop(new Set(["somebody"]));
  questions[1]!(holder);
  expect((await resolved)?.caller).toEqual(holder.caller);
  expect(known()).toBeDefined();
});

test.each<["drop" | "dropAll"]>([["drop"], ["dropAll"]])(
  "a request after a change (%s) does not share an earlier lookup, and shares the later one",
  async (change) => {
    const { principal, questions, ...bearers } = start();
    const early = principal("token");
    expect(principal("token")).toBe(early);
    bearers[change](new Set(["user1"]));
    const late = principal("token");
    expect(questions).toHaveLength(2);
    questions[0]!(holder);
    expect((await early)?.caller).toEqual(holder.caller);
    expect(principal("token")).toBe(late);
    expect(questions).toHaveLength(2);
    questions[1]!(null);
    expect(await late).toBeUndefined();
  },
);

test("a lookup that failed is repeated", async () => {
  let lookups = 0;
  const resolve = async () => {
    if (lookups++ === 0) throw new Error("away");
    return holder;
  };
  const bearers = createBearers({ resolve, signer, isConnected: () => true });
  await expect(bearers.principal("token")).rejects.toThrow("away");
  expect((await bearers.principal("token"))?.caller).toEqual(holder.caller);
});

/** The refusal that a caller gets. */
function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    const { code, message, details } = describe(error);
    const { reason, headers } = details;
    return [code, message, reason, headers?.["www-authenticate"]];
  }
  throw new Error("It was not refused");
}
const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;

test("a request without a bearer token is 401 with authentication_required, one with another scheme with invalid_token", () => {
  expect(bearerOf(request("bEARER  abc"))).toBe("abc");
  expect(refusal(() => bearerOf(request()))).toEqual([
    "UNAUTHORIZED",
    "Authorization: a bearer token is required",
    "authentication_required",
    'Bearer realm="octavo"',
  ]);
  const invalid = (what: string) => [
    "UNAUTHORIZED",
    `Authorization: ${what}`,
    "invalid_token",
    'Bearer realm="octavo", error="invalid_token"',
  ];
  for (const other of ["Basic abc", "Bearer", "Bearer a b", "abc"]) {
    expect(refusal(() => bearerOf(request(other)))).toEqual(invalid("is not a bearer token"));
  }
  expect(refusal(() => refuseBearer("is not a valid token"))).toEqual(invalid("is not a valid token"));
});
