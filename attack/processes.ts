import type { Stack } from "../tests/harness/stack.js";

const PARTS = [
  "gateway/dist",
  "services/orgs",
  "services/content",
  "services/sites",
  "services/integrations",
  "nats-server",
];

/** The process id of every part of the stack. */
export async function processesOf(stack: Stack): Promise<Map<string, number>> {
  return new Map(await Promise.all(PARTS.map(async (part) => [part, await stack.pidOf(part)] as const)));
}

/** The parts that ended since `before`, whether or not the launcher has started them again. */
export async function endedSince(stack: Stack, before: ReadonlyMap<string, number>): Promise<string[]> {
  const ids = await Promise.all(PARTS.map((part) => stack.pidOf(part).catch(() => 0)));
  return PARTS.filter((part, index) => ids[index] !== before.get(part));
}
