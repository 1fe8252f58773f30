import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gateway, services } from "./deployables.js";
import { restartOnChange, watchSources } from "./dev.js";
import { watchTree } from "./watch-tree.js";

// Each look changes a file anew: a watcher takes a moment to begin. It has to be longer than a change takes to settle.
const looking = { interval: 600, timeout: 25_000 };

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "octavo-dev-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** The folders of a project that is being watched, how often each process was restarted, and what was reported. */
function watched(refreshRoutes: () => Promise<boolean>) {
  const root = temporary();
  const folders = [...services, gateway].map(({ folder }) => folder);
  for (const folder of ["packages/shared", "packages/markdown", ...folders])
    mkdirSync(join(root, folder, "src/things"), { recursive: true });
  const restarts: Record<string, number> = {};
  const processes = [...services, gateway].map(({ name }) => ({
    name,
    pid: () => undefined,
    restart: async () => {
      restarts[name] = (restarts[name] ?? 0) + 1;
    },
    stop: async () => {},
  }));
  const reports: string[] = [];
  const end = restartOnChange(processes, { root, refreshRoutes, report: (line) => reports.push(line) });
  onTestFinished(end);
  let text = 0;
  const change = (folder: string) => writeFileSync(join(root, folder, "src/things/router.ts"), `${++text}`);
  return { restarts, reports, change };
}

test("a changed source restarts its service, and the gateway when that brings other operations", async () => {
  let other = false;
  const { restarts, reports, change } = watched(async () => other);
  const after = (folder: string) => () => {
    change(folder);
    return restarts;
  };
  await expect.poll(after("services/orgs"), looking).toEqual({ orgs: expect.any(Number) });
  other = true;
  await expect.poll(after("services/orgs"), looking).toHaveProperty("gateway");
  expect(Object.keys(restarts).sort()).toEqual(["gateway", "orgs"]);
  expect(reports).toContain("  Other operations: restarting gateway");
});

test("a changed source of a shared package restarts all, and routes that cannot be read are reported", async () => {
  const { restarts, reports, change } = watched(() => Promise.reject(new Error("router.ts: unexpected }")));
  const reported = () => {
    change("packages/shared");
    return reports;
  };
  const line = "  The gateway's routes stay as they were: router.ts: unexpected }";
  await expect.poll(reported, looking).toContain(line);
  expect(Object.keys(restarts).sort()).toEqual(["content", "gateway", "integrations", "orgs", "sites"]);
});

test("what cannot be watched is reported once, and what can be seen still is", async () => {
  const reports: string[] = [];
  const report = (line: string) => reports.push(line);
  const folder = temporary();
  let seen = 0;
  const watchAll: typeof watchTree = (root, callbacks) => {
    callbacks.failed(new Error("ENOSPC: no more watchers"));
    callbacks.failed(new Error("EACCES: no more watchers"));
    return watchTree(root, callbacks);
  };
  onTestFinished(watchSources(folder, report, () => seen++, watchAll));
  expect(reports).toEqual([`  Not every change in ${folder} will be seen: ENOSPC: no more watchers`]);
  let text = 0;
  const look = () => {
    writeFileSync(join(folder, "rules.ts"), `${++text}`);
    return seen;
  };
  await expect.poll(look, looking).toBeGreaterThan(0);
  watchSources(join(folder, "none"), report, () => {});
  expect(reports[1]).toContain("ENOENT");
});
