import type { BaseContext } from "@octavo/shared/context";
import type { SitesRouter } from "@octavo/sites/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";

/** Whose identity a call carries. */
export type Requester = Pick<BaseContext<unknown>, "identity" | "requestId">;

export type Site = inferRouterOutputs<SitesRouter>["sites"]["get"];

/** What integrations asks of sites, as the caller of the request. */
export interface Sites {
  /** The sites among `ids` (at most 1000) that the caller may see. */
  sites(asking: Requester, ids: string[]): Promise<Site[]>;
  /** A site of an organization; 404 when there is none or the caller may not see it. */
  site(asking: Requester, organization: string, id: string): Promise<Site>;
  /**
   * Hands on for which sites (of those with ids in a range, if there is one) an installation signs in visitors, in place
   * of what was handed on before.
   */
  offerVisitorAuth(asking: Requester, offered: OfferedVisitorAuth): Promise<unknown>;
  /** Hands on what an installation puts into the pages of sites, in place of what was handed on before. */
  handDownScript(asking: Requester, handed: HandedScript): Promise<unknown>;
}

/** What an installation puts into pages, and on which sites (of those with ids in a range) it is by itself. */
export type HandedScript = inferRouterInputs<SitesRouter>["injectedScripts"]["replace"];

/** For which sites of its organization an installation signs in visitors, where, and with which sealed key. */
export interface OfferedVisitorAuth {
  installation: string;
  organization: string;
  above?: string;
  upTo?: string;
  offers: { site: string; integration: string; address: string; key: string }[];
}
