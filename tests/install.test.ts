import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { subset } from "semver";
import { expect, test } from "vitest";

interface LockEntry {
  version?: string;
  engines?: { node?: string };
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  deprecated?: string;
}

const root = resolve(import.meta.dirname, "..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const manifest = read("package.json") as {
  engines: { node: string };
  allowScripts: Record<string, boolean>;
};
const entries = Object.entries(
  (read("package-lock.json") as { packages: Record<string, LockEntry> }).packages,
);
const nameOf = (place: string) => place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);

test("every package runs on every Node that the project promises, so npm install does not warn", () => {
  const promised = manifest.engines.node;
  const missing = entries.filter(([, { engines }]) => engines?.node && !subset(promised, engines.node));
  expect(missing.map(([place, { version, engines }]) => `${place} ${version}: ${engines!.node}`)).toEqual([]);
});

test("the README promises the Node versions of package.json", () => {
  const lowest = [...manifest.engines.node.matchAll(/(\d+\.\d+)\.0/g)].map(([, version]) => version!);
  const sentence = /^On a machine with Node (.*) and git:$/m.exec(
    readFileSync(join(root, "README.md"), "utf8"),
  )![1]!;
  expect(
    sentence.match(/\d+(?:\.\d+)?/g)!.map((version) => (version.includes(".") ? version : `${version}.0`)),
  ).toEqual(lowest);
});

test("each install script is allowed or refused by name, and no package is deprecated", () => {
  const undecided = entries.filter(
    ([place, { hasInstallScript }]) => hasInstallScript && !(nameOf(place) in manifest.allowScripts),
  );
  expect(undecided.map(([place]) => place)).toEqual([]);
  const installed = new Set(entries.map(([place]) => nameOf(place)));
  expect(Object.keys(manifest.allowScripts).filter((name) => !installed.has(name))).toEqual([]);
  expect(entries.filter(([, { deprecated }]) => deprecated).map(([place]) => place)).toEqual([]);
});

test("the tests of every workspace are run by the same command", () => {
  for (const place of entries
    .map(([place]) => place)
    .filter((place) => /^(?:(?:packages|services)\/)?[\w-]+$/.test(place))) {
    const { scripts } = read(`${place}/package.json`) as { scripts: Record<string, string> };
    expect(scripts.test, place).toBe(
      `node ${place.includes("/") ? "../.." : ".."}/scripts/test-workspace.js`,
    );
  }
});

test("the lock file names no registry", () => {
  const elsewhere = entries.filter(([, { resolved, link }]) => resolved && !link);
  expect(elsewhere.map(([place, { resolved }]) => `${place} ${resolved}`)).toEqual([]);
});
