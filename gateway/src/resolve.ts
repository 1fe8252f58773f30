import type { ContentRouter } from "@octavo/content/client";
import type { IntegrationsRouter } from "@octavo/integrations/client";
import type { OrgsRouter } from "@octavo/orgs/client";
import { isIntegrationBearer } from "@octavo/shared/bearer";
import { serviceClient } from "@octavo/shared/client";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import type { Signer } from "@octavo/shared/identity";
import { createReaderVerifier, isReaderToken } from "@octavo/shared/reader-tokens";
import type { SitesRouter } from "@octavo/sites/client";
import type { PublicThing, Publishable } from "./app-pages.js";
import type { Place, ResolvedToken } from "./bearer.js";
import type { Upstreams } from "./config.js";

const identityOf = (signer: Signer) => () =>
  signer.cached("gateway", () => ({ kind: "service", service: "gateway" }));

/** How long sites may take to say whose a host is; whoever came with it waits as long. */
const LOOKUP_MS = 5_000;

/** Asks sites whose a hostname is. */
export function createHostLookup(upstreams: Upstreams, signer: Signer) {
  const client = { url: upstreams.sites, identity: identityOf(signer), timeoutMs: LOOKUP_MS };
  const sites = serviceClient<SitesRouter>(client);
  return async (hostname: string): Promise<string | null> =>
    (await sites.customHostnames.lookup.query({ hostname }))?.site ?? null;
}

/** Somebody without an account, who sees what everybody does. */
const STRANGER: UserCaller = {
  kind: "user",
  id: "nobody",
  name: "Nobody",
  organizations: {},
  teams: [],
  token: "nobody",
};

/**
 * Asks what everybody may see of a space, of a page of it, or of a site; undefined when it is not published to everybody.
 */
export function createPublicLookup(upstreams: Upstreams, signer: Signer) {
  const stranger = () => signer.cached("stranger", () => STRANGER);
  const clientOf = (url: string, identity: typeof stranger) => ({ url, identity, timeoutMs: LOOKUP_MS });
  const content = serviceClient<ContentRouter>(clientOf(upstreams.content, stranger));
  const sites = serviceClient<SitesRouter>(clientOf(upstreams.sites, identityOf(signer)));
  return async (names: Publishable): Promise<PublicThing | undefined> => {
    if ("site" in names) {
      const { organization: organizationId, site: siteId } = names;
      return (await sites.sites.publicView.query({ organizationId, siteId })) ?? undefined;
    }
    const { space: spaceId, page: pageId } = names;
    const { title, urls } = await content.spaces.get.query({ spaceId });
    if (urls.published === undefined) return undefined;
    if (pageId === undefined) return { title, published: urls.published };
    const page = await content.content.page.query({ spaceId, pageId, metadata: false });
    if (!("path" in page) || page.path === undefined) return undefined;
    const path = page.path.split("/").map(encodeURIComponent).join("/");
    return { title: page.title, published: urls.published + path };
  };
}

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
  const identity = identityOf(signer);
  const orgs = serviceClient<OrgsRouter>({ url: upstreams.orgs, identity });
  const integrations = serviceClient<IntegrationsRouter>({ url: upstreams.integrations, identity });
  return (token: string, place?: Place): Promise<ResolvedToken | null> => {
    if (isReaderToken(token)) return verifyReader(token);
    return isIntegrationBearer(token)
      ? integrations.tokens.resolve.query({ token, ...place })
      : orgs.tokens.resolve.query({ token });
  };
}
