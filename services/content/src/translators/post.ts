import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "./translator.js";

const TRIES = 4;
const LONGEST_PAUSE_MS = 30_000;
const RESPONSE_MS = 120_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** How long a provider is waited for. */
export interface Patience {
  /** Milliseconds before the second try; doubled before each further one, unless the provider names a time. */
  pauseMs?: number;
  /** Milliseconds until a response is complete. */
  responseMs?: number;
}

interface Posting extends Patience {
  url: string;
  headers?: Record<string, string>;
  body: object;
  signal: AbortSignal;
}

/**
 * Sends JSON to a provider and returns the JSON that it responds with, of at most 16 MiB and within two minutes. What
 * passes by itself (429, 5xx, a broken connection, no response in time) is tried again, four times in all. The address is
 * the operator's, and may be a private one.
 */
export async function postJson({ pauseMs = 1000, ...posting }: Posting): Promise<unknown> {
  const { signal } = posting;
  for (let attempt = 1; ; attempt++) {
    const outcome = await send(posting);
    if ("json" in outcome) return outcome.json;
    if (!outcome.passing || attempt === TRIES) throw new ProviderError(outcome.problem);
    const pause = outcome.retryAfterMs ?? pauseMs * 2 ** (attempt - 1);
    await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal });
  }
}

type Outcome = { json: unknown } | { problem: string; passing: boolean; retryAfterMs?: number };

async function send({
  url,
  headers,
  body,
  signal,
  responseMs = RESPONSE_MS,
}: Omit<Posting, "pauseMs">): Promise<Outcome> {
  const deadline = AbortSignal.timeout(responseMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, deadline]),
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
    const problem = deadline.aborted
      ? "The provider did not respond in time"
      : "The provider could not be reached";
    return { problem, passing: true };
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
