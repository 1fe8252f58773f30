import { setTimeout as sleep } from "node:timers/promises";

export interface ApiResponse<T = never> {
  status: number;
  headers: Headers;
  /** The parsed body, or undefined when there is none. */
  body: [T] extends [never] ? Record<string, unknown> & { [field: string]: never } : T;
}

/** A REST client of the gateway, as any script would be one. */
export interface Client {
  <T = never>(method: string, path: string, body?: unknown): Promise<ApiResponse<T>>;
  /** As another token. */
  as(token: string | undefined): Client;
  /** A request whose headers and body are written by hand. */
  send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<ApiResponse>;
}

interface Options {
  base: string;
  token?: string;
  /** Keeps asking for so long while a part is away: after 502, 503, 504 and broken connections. */
  patienceMs?: number;
}

const AWAY = [502, 503, 504];
/** Longer than the gateway waits for a service. */
const TIMEOUT_MS = 70_000;

export function createClient({ base, token, patienceMs = 0 }: Options): Client {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const response = await fetch(path.startsWith("http") ? path : `${base}/v1${path}`, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(response, text) };
  };
  const call = async (method: string, path: string, body?: unknown) => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    for (const deadline = Date.now() + patienceMs; ; await sleep(100)) {
      const over = Date.now() >= deadline;
      const response = await send(
        method,
        path,
        json ? { "content-type": "application/json" } : {},
        json,
      ).catch((error: unknown) => {
        if (over) throw error;
      });
      if (response && (over || !AWAY.includes(response.status))) return response;
    }
  };
  const as = (token: string | undefined) => createClient({ base, token, patienceMs });
  return Object.assign(call, { as, send }) as Client;
}

const parse = ({ headers }: Response, text: string) =>
  text && headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;

/** Asks again until the response is truthy; throws after the given time. */
export async function eventually<T>(ask: () => Promise<T>, withinMs = 60_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (let cause: unknown; ; ) {
    try {
      const response = await ask();
      if (response) return response;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`It did not happen within ${withinMs} ms`, { cause });
    await sleep(100);
  }
}
