/**
 * Why an outbound request did not happen: `egress_refused` (the host does not exist, or may not be reached),
 * `egress_timeout`, `egress_too_large`, `egress_failed` (no response, or a malformed one).
 */
export type EgressReason = "egress_refused" | "egress_timeout" | "egress_too_large" | "egress_failed";

/** An outbound request that was not allowed or did not work. The message names no more than the origin. */
export class EgressError extends Error {
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string) {
    super(message);
    this.name = "EgressError";
    this.reason = reason;
  }
}

/** The part of an address that may be shown: scheme, host and port, no credentials, path or query. */
export function shown(url: URL): string {
  return `${url.protocol}//${url.host}`;
}
