import { refuse } from "@octavo/shared/errors";
import { jsonOf } from "../events/response-json.js";
import type { IntegrationResponse } from "../events/tunnel.js";
import { Rendered } from "./schema.js";

/** Bytes of a component. */
const MOST_BYTES = 1024 * 1024;
const LONGEST_MESSAGE = 500;

/** A component as a script returned it; what the script refuses is refused in its words, 502 for anything else. */
export function renderedBy(response: IntegrationResponse): Rendered {
  const { status, body } = response;
  if (status >= 400 && status < 500 && status !== 406) refuseAs(status, response);
  if (status < 200 || status > 299 || body.length > MOST_BYTES) unusable();
  const rendered = Rendered.safeParse(jsonOf({ body }));
  return rendered.success ? rendered.data : unusable();
}

/** For how long a component may be kept, where its script says so; nobody else may be shown it. */
export function cacheControlOf({ headers }: IntegrationResponse): string | undefined {
  const age = /^max-age=(\d{1,8})$/.exec([headers["cache-control"]].flat().join());
  return age ? `private, max-age=${age[1]}` : undefined;
}

function refuseAs(status: number, { body }: IntegrationResponse): never {
  const parsed = body.length <= MOST_BYTES ? jsonOf({ body }) : undefined;
  const error = typeof parsed === "object" && parsed !== null && "error" in parsed ? parsed.error : undefined;
  const message = typeof error === "string" ? error.slice(0, LONGEST_MESSAGE) : "refused to render";
  refuse(status === 404 ? "NOT_FOUND" : "BAD_REQUEST", `Integration: ${message}`, {
    reason: "integration_refused",
  });
}

function unusable(): never {
  refuse("BAD_GATEWAY", "Integration: did not respond as a component", { reason: "integration_failed" });
}
