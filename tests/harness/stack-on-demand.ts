import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type Stack, startStack } from "./stack.js";

/**
 * Vitest's global set-up of the stack that test files share. The stack starts when the first of them asks, so a run
 * of others starts none, and belongs to no worker, so it outlives each. Returns the tear-down.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let stack: Promise<Stack> | undefined;
  const server = createServer(async (_, res) => {
    try {
      stack ??= startStack();
      const { base, port, dataDir } = await stack;
      res.end(JSON.stringify({ base, port, dataDir }));
    } catch (error) {
      res.writeHead(500).end((error as Error).message);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  project.provide("sharedStack", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // Who watches wants what is built by now, and the names that the last run has taken.
  project.onTestsRerun(stop);
  return async () => {
    server.closeAllConnections();
    server.close();
    await stop();
  };

  async function stop() {
    const started = stack?.catch(() => undefined);
    stack = undefined;
    await (await started)?.stop();
  }
}
