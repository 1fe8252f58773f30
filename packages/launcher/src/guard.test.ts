import { spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, isAlive } from "./processes.js";

const program = (temporary: string) => `
  import { spawn } from "node:child_process";
  import { startGuard } from ${JSON.stringify(new URL("./guard.ts", import.meta.url).href)};
  const guard = startGuard(${JSON.stringify(temporary)});
  const [one, two] = ["kept", "dropped"].map(() => spawn("sleep", ["60"], { stdio: "ignore", detached: true }));
  guard.add(one.pid, "TERM");
  guard.add(two.pid, "TERM");
  guard.drop(two.pid);
  console.log(JSON.stringify([one.pid, two.pid]));
  setInterval(() => {}, 1000);
`;

test("kill -9 of a process ends the processes that its guard watches, and removes its temporary directory", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "octavo-guard-"));
  const args = ["--import", "tsx", "--input-type=module", "-e", program(temporary)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const output = await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve));
  const [kept = 0, dropped = 0] = JSON.parse(output.toString()) as number[];
  child.kill("SIGKILL");
  await ended(child);
  await expect.poll(() => isAlive(kept)).toBe(false);
  await expect.poll(() => existsSync(temporary)).toBe(false);
  expect(isAlive(dropped)).toBe(true);
  process.kill(dropped, "SIGKILL");
});
