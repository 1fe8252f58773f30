import type { IntegrationsRouter } from "@octavo/integrations/client";
import type { OrgsRouter } from "@octavo/orgs/client";
import { isIntegrationBearer } from "@octavo/shared/bearer";
import { serviceClient } from "@octavo/shared/client";
import type { Signer } from "@octavo/shared/identity";
import { createReaderVerifier, isReaderToken } from "@octavo/shared/reader-tokens";
import type { ResolvedToken } from "./bearer.js";
import type { Upstreams } from "./config.js";

/**
 * Finds out who holds a token: integrations are asked about one of theirs, orgs about all others. A reader token is
 * verified here, by the key of the sites service among the trusted ones.
 */
export function createTokenResolver(
  upstreams: Upstreams,
  signer: Signer,
  trustedKeys: Parameters<typeof createReaderVerifier>[0],
) {
  const verifyReader = createReaderVerifier(trustedKeys);
  const identity = () => signer.cached("gateway", () => ({ kind: "service", service: "gateway" }));
  const orgs = serviceClient<OrgsRouter>({ url: upstreams.orgs, identity });
  const integrations = serviceClient<IntegrationsRouter>({ url: upstreams.integrations, identity });
  return (token: string): Promise<ResolvedToken | null> => {
    if (isReaderToken(token)) return verifyReader(token);
    return isIntegrationBearer(token)
      ? integrations.tokens.resolve.query({ token })
      : orgs.tokens.resolve.query({ token });
  };
}
