import type { IncomingMessage } from "node:http";
import { readUrl } from "../read-url.js";
import { EgressError, shown } from "./error.js";

export interface Hop {
  url: URL;
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/** What may follow to another origin; anything else could be a credential. */
const HARMLESS = new Set(["accept", "accept-encoding", "accept-language", "content-type", "user-agent"]);

/** The request that a redirect asks for, or undefined if the response is none. The caller classifies its address. */
export function nextHop(hop: Hop, response: IncomingMessage): Hop | undefined {
  const { statusCode = 0, headers } = response;
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return;
  const url = readUrl(headers.location, hop.url);
  if (!url) throw new EgressError("egress_failed", `${shown(hop.url)}: redirects to no address`);
  const kept = url.origin === hop.url.origin ? hop.headers : pick(hop.headers, (name) => HARMLESS.has(name));
  const becomesGet = statusCode === 303 ? hop.method !== "HEAD" : statusCode < 303 && hop.method === "POST";
  if (!becomesGet) return { ...hop, url, headers: kept };
  return { url, method: "GET", headers: pick(kept, (name) => !name.startsWith("content-")) };
}

function pick(headers: Record<string, string>, wanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wanted(name)));
}
