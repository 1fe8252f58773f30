import { expect, test } from "vitest";
import { coversScopes, withinScopes } from "./scopes.js";

test("scopes let reading and writing through, family by family", () => {
  expect(withinScopes(undefined, "content", "DELETE")).toBe(true);
  expect(withinScopes(["content:read"], "content", "GET")).toBe(true);
  expect(withinScopes(["content:read"], "content", "HEAD")).toBe(true);
  expect(withinScopes(["content:read"], "content", "POST")).toBe(false);
  expect(withinScopes(["content:read"], "orgs", "GET")).toBe(false);
  expect(withinScopes(["content:write"], "content", "GET")).toBe(true);
  expect(withinScopes([], "content", "GET")).toBe(false);
});

test("scopes cover what they hold and less", () => {
  expect(coversScopes(undefined, undefined)).toBe(true);
  expect(coversScopes(["content:write"], ["content:read"])).toBe(true);
  expect(coversScopes(["content:read"], ["content:write"])).toBe(false);
  expect(coversScopes(["content:read"], undefined)).toBe(false);
});
