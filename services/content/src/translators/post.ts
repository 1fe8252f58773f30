import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "./translator.js";

const TRIES = 4;
const LONGEST_PAUSE_MS = 30_000;
const ANSWER_MS = 120_000;
const MOST_BYTES = 16 * 1024 * 1024;

interface Posting {
  url: string;
  headers?: Record<string, string>;
  body: object;
  signal: AbortSignal;
  /** Milliseconds before the second try; doubled before each further one, unless the provider names a time. */
  pauseMs: number;
}

/**
 * Sends JSON to a provider and returns the JSON that it responds with. What passes by itself (429, 5xx, a broken
 * connection) is tried again, four times in all. The address is the operator's, and may be a private one.
 */
export async function postJson({ url, headers, body, signal, pauseMs }: Posting): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await send(url, { headers, body, signal });
    if ("json" in outcome) return outcome.json;
    if (!outcome.passing || attempt === TRIES) throw new ProviderError(outcome.problem);
    const pause = outcome.retryAfterMs ?? pauseMs * 2 ** (attempt - 1);
    await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal });
  }
}

type Outcome = { json: unknown } | { problem: string; passing: boolean; retryAfterMs?: number };

async function send(
  url: string,
  { headers, body, signal }: Pick<Posting, "headers" | "body" | "signal">,
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      redirect: "error",
    });
    if (response.ok) return { json: JSON.parse(await textOf(response)) };
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      problem: `The provider responded with ${response.status}`,
      passing: response.status === 429 || response.status >= 500,
      ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    if (error instanceof SyntaxError)
      return { problem: "The provider did not respond with JSON", passing: false };
    return { problem: "The provider could not be reached", passing: true };
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new ProviderError("The provider responded with too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
