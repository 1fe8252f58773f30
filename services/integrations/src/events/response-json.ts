import { checkJson } from "@octavo/shared/rest/body";
import type { IntegrationResponse } from "./tunnel.js";

/** The JSON that an integration returned; undefined for what is none, or takes too much to parse. */
export function jsonOf({ body }: Pick<IntegrationResponse, "body">): unknown {
  try {
    checkJson(body);
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
