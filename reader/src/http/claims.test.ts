import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { claimsCookie, credentialsOf, visitorKey } from "./visitor.js";

const owner = { name: "docs", isOwnHost: false, secure: true };
const OTHERS = "gitbook-visitor-public";

/** What a visitor with these parameters and cookies brings. */
const brought = (query: string, ...cookies: string[]) =>
  credentialsOf(
    { headers: { cookie: cookies.join("; ") } } as IncomingMessage,
    new URL(`http://x.test/?${query}`),
    owner,
  );
const claimed = (query: string, ...cookies: string[]) => brought(query, ...cookies).claims;
const cookieOf = (json: string) => claimsCookie(owner, "/sites/docs/", json).split(";", 1)[0]!;

test.each<[string, Record<string, unknown> | undefined]>([
  ["a=b&visitors.beta=true", undefined],
  ["visitor.beta=true&visitor.no=false&visitor.none=null", { beta: true, no: false, none: null }],
  ["visitor.age=42&visitor.low=-1.5&visitor.text=4.x", { age: 42, low: -1.5, text: "4.x" }],
  ["visitor.plan=pro%20plus&visitor.empty=", { plan: "pro plus", empty: "" }],
  ["visitor.user.team.name=a&visitor.user.age=1", { user: { team: { name: "a" }, age: 1 } }],
  ['visitor.user={"team":"a","x":[1]}&visitor.user.x=y', { user: { team: "a", x: "y" } }],
  ["visitor.user={broken&visitor.list=[1]", { user: "{broken", list: "[1]" }],
  ["visitor.a=true&visitor.a=undefined&visitor.b=1", { b: 1 }],
  ["visitor.=1&visitor.a..b=1&visitor.a.b.c.d.e.f=1", undefined],
  [`visitor.${"x".repeat(101)}=1`, undefined],
])("parameters %s claim what they say", (query, claims) => {
  expect(claimed(query)).toEqual(claims);
});

test("no more is read of an address than fits, and names reach no prototype", () => {
  const many = Array.from({ length: 60 }, (_, at) => `visitor.c${at}=1`).join("&");
  expect(Object.keys(claimed(many)!)).toHaveLength(50);
  expect(claimed(`visitor.long=${"x".repeat(3_000)}`)).toBeUndefined();
  expect(claimed("visitor.__proto__.beta=true&visitor.a=1")!.beta).toBeUndefined();
  expect(claimed('visitor.constructor={"__proto__":{"beta":true}}')!.beta).toBeUndefined();
  expect(({} as { beta?: unknown }).beta).toBeUndefined();
});

test("cookies of others claim less than what was kept of an address, and that less than the address", () => {
  const [one, two] = [`${OTHERS}=%7B%22a%22%3A1%2C%22b%22%3A1%2C%22c%22%3A1%7D`, `${OTHERS}-x={"d":2}`];
  expect(claimed("", one, two)).toEqual({ a: 1, b: 1, c: 1, d: 2 });
  const kept = cookieOf('{"b":3,"c":3}');
  expect(claimed("visitor.c=4", kept, one)).toEqual({ a: 1, b: 3, c: 4 });
  for (const bad of ["no", "[1]", "%", "{", '"x"', "null"])
    expect(claimed("", `${OTHERS}=${bad}`, `octavo-claims-x=${bad}`)).toBeUndefined();
});

test("what an address claims is kept for the next ones, until an address takes it back", () => {
  expect(brought("", `${OTHERS}={"a":1}`).kept).toBeUndefined();
  const { kept } = brought("visitor.b=2", `${OTHERS}={"a":1}`, cookieOf('{"c":3}'));
  expect(JSON.parse(kept!)).toEqual({ b: 2, c: 3 });
  expect(claimed("", cookieOf(kept!))).toEqual({ b: 2, c: 3 });
  expect(brought("visitor.b=undefined&visitor.c=undefined", cookieOf(kept!))).toMatchObject({ kept: "" });
  expect(claimsCookie(owner, "/sites/docs/", "")).toMatch(
    /^octavo-claims-[\w-]{12}=; Path=\/sites\/docs\/; HttpOnly; SameSite=Lax; Secure; Max-Age=0$/,
  );
});

test("whoever claims or proves something else is somebody else, and who brings nothing is nobody", () => {
  const visitors = [
    brought("visitor.a=1"),
    brought("visitor.a=2"),
    brought("", cookieOf('{"a":1}')),
    brought("jwt_token=a.b.c"),
    brought("jwt_token=a.b.c&visitor.a=1"),
    brought("visitor.a=undefined"),
  ];
  expect(new Set(visitors.map(visitorKey)).size).toBe(visitors.length);
  expect(visitors.map(visitorKey)).not.toContain(undefined);
  expect(visitorKey(brought("a=b", "c=d"))).toBeUndefined();
});
