import { expect, test } from "vitest";
import { createGuards, userOf } from "./access.js";
import { type Caller, roleIn, type UserCaller } from "./contracts/callers.js";
import { atLeast, higher, type Level, ROLES } from "./contracts/roles.js";

const user = (organizations: UserCaller["organizations"]): Caller => ({
  kind: "user",
  id: "user1",
  name: "Ada",
  organizations,
  teams: [],
  token: "token1",
});
const service: Caller = { kind: "service", service: "sites" };
const { allow, allowIn, flagsOf, permits, roleFor } = createGuards({
  "space.view": "read",
  "space.edit": "edit",
  "space.admin": "create",
  "organization.view": "guest",
  "organization.list": "read",
  "organization.admin": "admin",
});
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

test("a service is admin everywhere, a user has the role of the organization, and no role elsewhere", () => {
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
    expect(() => allow(level, "space.edit", "Space")).toThrow(refused("NOT_FOUND", "Space: not found"));
    expect(() => allow(level, "space.view", "Space")).toThrow(refused("NOT_FOUND", "Space: not found"));
  }
  expect(() => allow("comment", "space.edit", "Space")).toThrow(
    refused("FORBIDDEN", "Space: needs the role edit"),
  );
  expect(() => allow("edit", "space.edit", "Space")).not.toThrow();
  expect(() => allow("admin", "space.edit", "Space")).not.toThrow();
});

test("nobody may do what the table of permissions does not have", () => {
  const unknown = "space.destroy" as "space.edit";
  for (const level of [...ROLES, null, undefined]) expect(() => permits(level, unknown)).toThrow(unknown);
  expect(() => allow("admin", unknown, "Space")).toThrow(unknown);
  expect(() => allowIn({ caller: service }, "acme", unknown)).toThrow(unknown);
});

test("allowIn is 404 for a stranger, 403 for a guest or too low a role, and lets services through", () => {
  const within = (caller: Caller, action: Parameters<typeof allowIn>[2]) => () =>
    allowIn({ caller }, "acme", action);
  expect(within(user({}), "organization.view")).toThrow(refused("NOT_FOUND", "Organization: not found"));
  expect(within(user({ beta: "admin" }), "organization.list")).toThrow(
    refused("NOT_FOUND", "Organization: not found"),
  );
  expect(within(user({ acme: null }), "organization.view")).not.toThrow();
  expect(within(user({ acme: null }), "organization.list")).toThrow(
    refused("FORBIDDEN", "Organization: needs the role read"),
  );
  expect(within(user({ acme: "create" }), "organization.admin")).toThrow(
    refused("FORBIDDEN", "Organization: needs the role admin"),
  );
  expect(within(user({ acme: "admin" }), "organization.admin")).not.toThrow();
  expect(within(service, "organization.admin")).not.toThrow();
});

test("the flags of permissions are the actions on a thing, from the table that guards", () => {
  expect(flagsOf("review", "space")).toEqual({ view: true, edit: true, admin: false });
  expect(flagsOf(null, "space")).toEqual({ view: false, edit: false, admin: false });
  expect(flagsOf(null, "organization")).toEqual({ view: true, list: false, admin: false });
  expect(flagsOf(undefined, "organization")).toEqual({ view: false, list: false, admin: false });
});

test("an action is permitted from its role on, one for guests to whoever belongs there", () => {
  expect(ROLES.filter((role) => permits(role, "space.edit"))).toEqual(ROLES.slice(2));
  expect(permits(null, "organization.view")).toBe(true);
  expect(permits(undefined, "organization.view")).toBe(false);
  expect(roleFor("space.admin")).toBe("create");
});

test("userOf gives the user, and is 403 for a service", () => {
  const caller = user({});
  expect(userOf({ caller })).toBe(caller);
  expect(() => userOf({ caller: service })).toThrow(refused("FORBIDDEN", "Caller: a user is needed"));
});
