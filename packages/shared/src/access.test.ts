import { expect, test } from "vitest";
import { allow, allowIn, userOf } from "./access.js";
import { type Caller, roleIn, type UserCaller } from "./contracts/callers.js";
import { atLeast, can, higher, type Level, ROLES } from "./contracts/roles.js";

const user = (organizations: UserCaller["organizations"]): Caller => ({
  kind: "user",
  id: "user1",
  name: "Ada",
  organizations,
  teams: [],
  token: "token1",
});
const service: Caller = { kind: "service", service: "sites" };
const refused = (code: string, message: string) => expect.objectContaining({ code, message });

test("the ladder: each role reaches itself and those below it, a guest and a stranger none", () => {
  ROLES.forEach((level, height) => {
    expect(ROLES.filter((minimum) => atLeast(level, minimum))).toEqual(ROLES.slice(0, height + 1));
  });
  for (const level of [null, undefined] as Level[]) {
    expect(ROLES.some((minimum) => atLeast(level, minimum))).toBe(false);
  }
  expect([higher("edit", "comment"), higher("comment", "edit")]).toEqual(["edit", "edit"]);
});

test("a service is admin everywhere, a user what the organization says, nowhere else anything", () => {
  expect(roleIn(service, "acme")).toBe("admin");
  const caller = user({ acme: "edit", beta: null });
  expect([roleIn(caller, "acme"), roleIn(caller, "beta"), roleIn(caller, "gamma")]).toEqual([
    "edit",
    null,
    undefined,
  ]);
});

test("no role is found under the name of an object's own property", () => {
  const caller = user({ acme: "edit" });
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    expect(roleIn(caller, name), name).toBeUndefined();
  }
});

test("allow is 404 for who may not read, 403 for who may not do this", () => {
  for (const level of [null, undefined] as Level[]) {
    expect(() => allow(level, "edit", "Space")).toThrow(refused("NOT_FOUND", "Space: not found"));
    expect(() => allow(level, "read", "Space")).toThrow(refused("NOT_FOUND", "Space: not found"));
  }
  expect(() => allow("comment", "edit", "Space")).toThrow(refused("FORBIDDEN", "Space: needs the role edit"));
  expect(() => allow("edit", "edit", "Space")).not.toThrow();
  expect(() => allow("admin", "edit", "Space")).not.toThrow();
});

test("allowIn is 404 for a stranger, 403 for a guest or too low a role, and lets services through", () => {
  const within = (caller: Caller, minimum: Parameters<typeof allowIn>[2]) => () =>
    allowIn({ caller }, "acme", minimum);
  expect(within(user({}), "guest")).toThrow(refused("NOT_FOUND", "Organization: not found"));
  expect(within(user({ beta: "admin" }), "read")).toThrow(refused("NOT_FOUND", "Organization: not found"));
  expect(within(user({ acme: null }), "guest")).not.toThrow();
  expect(within(user({ acme: null }), "read")).toThrow(
    refused("FORBIDDEN", "Organization: needs the role read"),
  );
  expect(within(user({ acme: "create" }), "admin")).toThrow(
    refused("FORBIDDEN", "Organization: needs the role admin"),
  );
  expect(within(user({ acme: "admin" }), "admin")).not.toThrow();
  expect(within(service, "admin")).not.toThrow();
});

test("the flags of permissions follow the table that guards", () => {
  const table = { view: "read", edit: "edit", admin: "admin" } as const;
  expect(can("review", table)).toEqual({ view: true, edit: true, admin: false });
  expect(can(null, table)).toEqual({ view: false, edit: false, admin: false });
});

test("userOf gives the user, and is 403 for a service", () => {
  const caller = user({});
  expect(userOf({ caller })).toBe(caller);
  expect(() => userOf({ caller: service })).toThrow(refused("FORBIDDEN", "Caller: a user is needed"));
});
