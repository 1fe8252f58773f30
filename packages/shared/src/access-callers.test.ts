import { expect, test } from "vitest";
import { createGuards, userOf } from "./access.js";
import { type Caller, type IntegrationCaller, partyOf, roleIn, SERVICES } from "./contracts/callers.js";
import { ROLES } from "./contracts/roles.js";

const script: IntegrationCaller = {
  kind: "integration",
  integration: "witness",
  installation: "i1",
  organization: "acme",
  scopes: ["space:content:read"],
  token: "t1",
};
const { allowIn } = createGuards({ "space.view": "read", "space.comment": "comment" });
const ofItself: IntegrationCaller = { ...script, installation: undefined };

test("an installation reads in its organization and nowhere else, the integration itself reads nowhere", () => {
  expect([roleIn(script, "acme"), roleIn(script, "beta")]).toEqual(["read", undefined]);
  expect([roleIn(ofItself, "acme"), roleIn(ofItself, "beta")]).toEqual([undefined, undefined]);
});

test("an integration is not found elsewhere, refused what takes more than reading, and no user", () => {
  const within = (caller: Caller, organization: string, action: "space.view" | "space.comment") => () =>
    allowIn({ caller }, organization, action, "Space");
  const refused = (code: string, message: string) => expect.objectContaining({ code, message });
  expect(within(script, "acme", "space.view")).not.toThrow();
  expect(within(script, "acme", "space.comment")).toThrow(
    refused("FORBIDDEN", "Space: needs the role comment"),
  );
  expect(within(script, "beta", "space.view")).toThrow(refused("NOT_FOUND", "Space: not found"));
  expect(() => userOf({ caller: script })).toThrow(refused("FORBIDDEN", "Caller: a user is needed"));
});

test("users share by their id, services by their name, integrations by each installation", () => {
  const user: Caller = { kind: "user", id: "u1", name: "Ada", organizations: {}, teams: [], token: "t" };
  expect(partyOf(user)).toBe("u1");
  expect(partyOf({ ...user, token: "another" })).toBe("u1");
  expect(partyOf({ kind: "service", service: "content" })).toBe("content");
  expect(partyOf(script)).toBe("witness/i1");
  expect(partyOf({ ...script, installation: "i2" })).toBe("witness/i2");
  expect(partyOf(ofItself)).toBe("witness/");
});

test("the words that stand in tokens, grants and signatures are these", () => {
  expect(ROLES).toEqual(["read", "comment", "edit", "review", "create", "admin"]);
  expect(SERVICES).toEqual(["gateway", "orgs", "content", "sites", "integrations", "launcher"]);
});
