import { expect, test } from "vitest";
import { bearerHash, isBearer, isIntegrationBearer, newBearer, newIntegrationBearer } from "./bearer.js";

test("a new token has its form, is never the same twice, and is recognised", () => {
  const tokens = Array.from({ length: 1000 }, newBearer);
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) {
    expect(token).toMatch(/^oct_[0-9A-Za-z]{36}$/);
    expect(isBearer(token)).toBe(true);
  }
});

test("a token of an integration is distinguished from all others", () => {
  const token = newIntegrationBearer();
  expect(token).toMatch(/^oci_[0-9A-Za-z]{36}$/);
  expect([isBearer(token), isBearer(`oct_${token.slice(4)}`)]).toEqual([true, false]);
  expect([isIntegrationBearer(token), isIntegrationBearer(newBearer())]).toEqual([true, false]);
});

test("a mistyped token is recognised by its checksum", () => {
  const token = newBearer();
  for (let at = 4; at < token.length; at++) {
    const wrong = token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1);
    expect(isBearer(wrong)).toBe(false);
  }
});

test("a token that an operator chose is one from 20 characters of the bearer alphabet on", () => {
  expect(isBearer("my-own-admin-token-1")).toBe(true);
  expect(isBearer("oct_my-own-admin-token==")).toBe(true);
  for (const text of [
    "",
    "short",
    "x".repeat(19),
    "x".repeat(513),
    "with a space in the middle",
    "ümlaut-ümlaut-ümlaut",
    "a=b=c=d=e=f=g=h=i=j=k=l",
  ]) {
    expect(isBearer(text)).toBe(false);
  }
});

test("a token is stored as its SHA-256", () => {
  expect(bearerHash("abc").toString("hex")).toMatch(/^ba7816bf/);
});
