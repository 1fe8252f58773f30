import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createVault } from "./secrets.js";

const mine = { kind: "site.privateKey", id: "site", organization: "acme" };
const key = () => randomBytes(32).toString("base64");

test("a sealed text opens again and does not show", () => {
  const vault = createVault(key());
  const sealed = vault.seal("geheim, 密码", mine);
  expect(sealed).toMatch(/^v2\.[0-9a-f]{8}\.[\w-]+$/);
  expect(sealed).not.toBe(vault.seal("geheim, 密码", mine));
  expect(vault.open(sealed, mine)).toBe("geheim, 密码");
  expect(vault.open(vault.seal("", mine), mine)).toBe("");
});

test("an altered secret, a foreign key and other texts do not open", () => {
  const vault = createVault(key());
  const sealed = vault.seal("secret", mine);
  const flipped = sealed.slice(0, 30) + (sealed[30] === "A" ? "B" : "A") + sealed.slice(31);
  for (const text of [
    flipped,
    createVault(key()).seal("secret", mine),
    "",
    "v2.x.y",
    "v3.x.y",
    "secret",
    `${sealed}.x`,
  ]) {
    expect(() => vault.open(text, mine)).toThrow();
  }
});

test("what was sealed for one thing opens for no other, and not for another secret of the same", () => {
  const vault = createVault(key());
  const sealed = vault.seal("secret", mine);
  for (const other of [
    { ...mine, id: "other" },
    { ...mine, organization: "rival" },
    { ...mine, organization: undefined },
    { ...mine, kind: "site" },
    { kind: "site", id: '.privateKey","site', organization: "acme" },
  ]) {
    expect(() => vault.open(sealed, other)).toThrow("belongs elsewhere");
  }
  expect(vault.open(sealed, { ...mine })).toBe("secret");
});

test("what an earlier release sealed opens, and is to be sealed again", () => {
  const secret = key();
  const vault = createVault(secret);
  const before = sealedUnbound(secret, "secret");
  expect(before).toMatch(/^v1\./);
  expect(vault.open(before, mine)).toBe("secret");
  expect(vault.stale(before)).toBe(true);
  // Nobody makes an unbound secret of a bound one.
  expect(() => vault.open(vault.seal("secret", mine).replace("v2", "v1"), mine)).toThrow();
});

/** As the release before sealed. */
function sealedUnbound(base64: string, text: string): string {
  const bytes = Buffer.from(base64, "base64");
  const name = createHash("sha256").update("octavo vault").update(bytes).digest("hex").slice(0, 8);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", bytes, iv).setAAD(Buffer.from(`v1.${name}`));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `v1.${name}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

test("rotation: the old key still opens, the new one seals", () => {
  const [old, fresh] = [key(), key()];
  const before = createVault(old).seal("secret", mine);
  const vault = createVault(`${fresh},${old}`);
  expect(vault.open(before, mine)).toBe("secret");
  expect(vault.stale(before)).toBe(true);
  expect(vault.stale(vault.seal("secret", mine))).toBe(false);
  expect(createVault(fresh).open(vault.seal(vault.open(before, mine), mine), mine)).toBe("secret");
});

test("a key of another length is refused", () => {
  expect(() => createVault("c2hvcnQ=")).toThrow("32 bytes");
  expect(() => createVault([])).toThrow();
});
