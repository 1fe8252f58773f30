import type { Upstreams } from "./config.js";

export interface Readiness {
  ready: boolean;
  /** `ok`, or what is wrong, by service. */
  services: Record<string, string>;
}

/** Asks `/readyz` of every service, for two seconds at most. */
export async function readReadiness(upstreams: Upstreams, timeoutMs = 2_000): Promise<Readiness> {
  const asked = Object.entries(upstreams).map(async ([service, base]) => [
    service,
    await ask(base, timeoutMs),
  ]);
  const services = Object.fromEntries(await Promise.all(asked)) as Record<string, string>;
  return { ready: Object.values(services).every((state) => state === "ok"), services };
}

async function ask(base: string, timeoutMs: number): Promise<string> {
  try {
    const response = await fetch(new URL("/readyz", base), { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.ok ? "ok" : "not ready";
  } catch {
    return "not reachable";
  }
}
