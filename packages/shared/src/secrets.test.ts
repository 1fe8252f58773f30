import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createVault } from "./secrets.js";

const key = () => randomBytes(32).toString("base64");

test("a sealed text opens again and does not show", () => {
  const vault = createVault(key());
  const sealed = vault.seal("geheim, 密码");
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  expect(sealed).not.toBe(vault.seal("geheim, 密码"));
  expect(vault.open(sealed)).toBe("geheim, 密码");
  expect(vault.open(vault.seal(""))).toBe("");
});

test("an altered secret, a foreign key and other texts do not open", () => {
  const vault = createVault(key());
  const sealed = vault.seal("secret");
  const flipped = sealed.slice(0, 30) + (sealed[30] === "A" ? "B" : "A") + sealed.slice(31);
  for (const text of [flipped, createVault(key()).seal("secret"), "", "v2.x.y", "secret", `${sealed}.x`]) {
    expect(() => vault.open(text)).toThrow();
  }
});

test("rotation: the old key still opens, the new one seals", () => {
  const [old, fresh] = [key(), key()];
  const before = createVault(old).seal("secret");
  const vault = createVault(`${fresh},${old}`);
  expect(vault.open(before)).toBe("secret");
  expect(vault.stale(before)).toBe(true);
  expect(vault.stale(vault.seal("secret"))).toBe(false);
  expect(createVault(fresh).open(vault.seal(vault.open(before)))).toBe("secret");
});

test("a key of another length is refused", () => {
  expect(() => createVault("c2hvcnQ=")).toThrow("32 bytes");
  expect(() => createVault([])).toThrow();
});
