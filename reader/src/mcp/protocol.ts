import { createTurns } from "@octavo/shared/turns";
import { createPool } from "@octavo/shared/workers/pool";
import { createAdmission, inTurn } from "../drawing/turns.js";
import type { McpMessage, McpReply, McpResponse } from "./respond.js";
import { errorResult, type ToolCall, type ToolResult } from "./tools.js";

/** Speaks the Model Context Protocol, fairly between sites. */
export interface Protocol {
  /**
   * Returns the response to a message to a site. `run` runs the tools that it calls, one after the other, ten at most. Refuses
   * 503 when too many messages to the site are under way.
   */
  respond(
    site: string,
    message: Omit<McpMessage, "results">,
    run: (call: ToolCall) => Promise<ToolResult>,
  ): Promise<McpResponse>;
  /** How many threads there are. */
  readonly threads: number;
  close(): Promise<void>;
}

/** Messages that may be under way, of which no site has more than half of what is free. */
const MOST_MESSAGES = 200;
/** Calls of tools that one message may hold: older clients send several at once. */
const MOST_CALLS = 10;
const DEADLINE = 5_000;
/** Milliseconds without a message after which the thread ends. */
const REST = 10_000;

/**
 * Creates what speaks with programs, on a thread that the first message starts and that ends after `rest` ms without one: what
 * it loads takes some ten megabytes, and most sites are read by people.
 */
export function createProtocol({ rest = REST } = {}): Protocol {
  const pool = createPool({
    module: new URL(`./thread${import.meta.url.slice(-3)}`, import.meta.url),
    subject: "Message",
    threads: 1,
    kept: 0,
    deadline: DEADLINE,
    memory: 256,
    // A message is little work: what it makes is collected in a moment, and more would only be kept.
    young: 2,
    rest,
  });
  const turns = createTurns(1);
  const admitted = createAdmission(MOST_MESSAGES, "Message: too many wait for a response");
  const onThread = (site: string, message: McpMessage) =>
    inTurn(turns, site, () => pool.run("respond", message) as Promise<McpReply>);

  return {
    respond: (site, message, run) =>
      admitted(site, async () => {
        const reply = await onThread(site, message);
        if ("response" in reply) return reply.response;
        const results = await resultsOf(reply.calls, run);
        // With the results of all its calls it calls no more.
        return ((await onThread(site, { ...message, results })) as { response: McpResponse }).response;
      }),
    close: pool.close,
    get threads() {
      return pool.running;
    },
  };
}

async function resultsOf(
  calls: ToolCall[],
  run: (call: ToolCall) => Promise<ToolResult>,
): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const [at, call] of calls.entries())
    results.push(
      at < MOST_CALLS ? await run(call) : errorResult(`A message may hold ${MOST_CALLS} calls of tools.`),
    );
  return results;
}
