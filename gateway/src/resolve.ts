import type { IntegrationsRouter } from "@octavo/integrations/client";
import type { OrgsRouter } from "@octavo/orgs/client";
import { isIntegrationBearer } from "@octavo/shared/bearer";
import { serviceClient } from "@octavo/shared/client";
import type { Signer } from "@octavo/shared/identity";
import type { ResolvedToken } from "./bearer.js";
import type { Upstreams } from "./config.js";

/** Asks, as the gateway, who holds a token: integrations about one of theirs, orgs about all others. */
export function createTokenResolver(upstreams: Upstreams, signer: Signer) {
  const identity = () => signer.cached("gateway", () => ({ kind: "service", service: "gateway" }));
  const orgs = serviceClient<OrgsRouter>({ url: upstreams.orgs, identity });
  const integrations = serviceClient<IntegrationsRouter>({ url: upstreams.integrations, identity });
  return (token: string): Promise<ResolvedToken | null> =>
    isIntegrationBearer(token)
      ? integrations.tokens.resolve.query({ token })
      : orgs.tokens.resolve.query({ token });
}
