import { validateHeaderValue } from "node:http";
import { refuse } from "@octavo/shared/errors";
import type { IntegrationResponse } from "../events/tunnel.js";
import { policyText } from "../space-integrations/at-work.js";
import type { Target } from "./target.js";

/** What is sent of the response of a script. */
export interface Passed {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** All that a script says about its response on our origin; cookies, and what speaks for a whole origin, are not among it. */
const ALLOWED =
  /^(?:content-(?:type|disposition|language)|cache-control|expires|etag|last-modified|location|retry-after|vary|x-robots-tag)$/;

/** A page of a script is of no origin: it can run, and neither read nor act as another page at this address. */
const SANDBOX =
  "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads";

/** The response of a script as it may leave, in a sandbox; 502 for one that is no response of HTTP. */
export function passedOn(response: IntegrationResponse, { contentSecurityPolicy }: Target): Passed {
  const { status, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599) unusable();
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value === undefined || !ALLOWED.test(name)) continue;
    headers[name] = checked(name, [value].flat().join(", "));
  }
  const own = response.headers["content-security-policy"];
  const policies = [
    SANDBOX,
    ...(own === undefined ? [] : [[own].flat().join(", ")]),
    ...(contentSecurityPolicy ? [policyText(contentSecurityPolicy)] : []),
  ].filter((policy) => policy.trim() !== "");
  headers["content-security-policy"] = policies.map((policy) => checked("content-security-policy", policy));
  headers["x-content-type-options"] = "nosniff";
  return { status, headers, body };
}

function checked(name: string, value: string): string {
  try {
    validateHeaderValue(name, value);
    return value;
  } catch {
    return unusable();
  }
}

function unusable(): never {
  refuse("BAD_GATEWAY", "Integration: its response cannot be passed on", { reason: "integration_failed" });
}
