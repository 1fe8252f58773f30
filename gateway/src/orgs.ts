import type { OrgsRouter } from "@octavo/orgs/router";
import { serviceClient } from "@octavo/shared/client";
import type { Signer } from "@octavo/shared/identity";
import type { ResolvedToken } from "./bearer.js";

/** Asks orgs, as the gateway, who holds a token. */
export function createTokenResolver(url: string, signer: Signer) {
  const identity = () => signer.cached("gateway", () => ({ kind: "service", service: "gateway" }));
  const orgs = serviceClient<OrgsRouter>({ url, identity });
  return (token: string): Promise<ResolvedToken | null> => orgs.tokens.resolve.query({ token });
}
