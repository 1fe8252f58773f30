import type { Role } from "@octavo/shared/contracts/roles";
import type { Client } from "../client.js";

export interface Permission {
  /** The least role; `guest` is any member, `anybody` whoever has a token, `themselves` nobody else's affair. */
  needs: Role | "guest" | "anybody" | "themselves";
  /** The same where the user that the path names is the caller. */
  own?: "guest" | "anybody";
  /** What a guest without the right gets: 404 about content, which guests do not see, 403 about the organization. */
  guest?: 200 | 204 | 403 | 404;
  /** What a member of another organization gets. */
  stranger?: number;
  /** What a caller with the right gets, where that is not the status of success. */
  allowed?: number;
  /** The body, where the one that the operation understands is not enough. */
  body?: (ids: Ids) => object;
  /** It gives the callers what they had not, and comes after all others. */
  last?: true;
  /** Query that the operation cannot do without. */
  query?: string | ((ids: Ids) => string);
  /** Ids that take the place of the common ones. */
  ids?: Ids;
  /** Makes what the operation uses up, anew for each who may. */
  fresh?: (make: Make) => Promise<Ids>;
}

/** By the name that paths give them. */
export type Ids = Record<string, string>;

/** The administrator's request that makes something; returns its body. */
export type Make = <T = { id: string }>(method: string, path: string, body?: unknown) => Promise<T>;

export const makerOf =
  (call: Client): Make =>
  async <T>(method: string, path: string, body?: unknown) => {
    const response = await call(method, path, body);
    if (response.status >= 300)
      throw new Error(`${method} ${path} returned ${response.status} ${JSON.stringify(response.body)}`);
    return response.body as T;
  };

export type Table = Record<string, Permission>;
export const anybody: Permission = { needs: "anybody" };
export const member: Permission = { needs: "guest" };
/** About the organization itself, which a guest sees. */
export const here = (needs: Role): Permission => ({ needs, guest: 403 });
/** About content, which a guest does not know of. */
export const on = (needs: Role): Permission => ({ needs });
/** The removal of what nobody else sees, who get the same as when there is nothing. */
export const silent = { guest: 204, stranger: 204 } as const;
/** About content that is public, as that of the furniture is. */
export const seen: Permission = { needs: "read", guest: 200, stranger: 200 };

export const org = "/orgs/{organizationId}";
export const one = {
  member: `${org}/members/{userId}`,
  team: `${org}/teams/{teamId}`,
  site: `${org}/sites/{siteId}`,
  siteSpace: `${org}/sites/{siteId}/site-spaces/{siteSpaceId}`,
  collection: "/collections/{collectionId}",
  space: "/spaces/{spaceId}",
  changeRequest: "/spaces/{spaceId}/change-requests/{changeRequestId}",
  spec: `${org}/openapi/{specSlug}`,
  translation: `${org}/translations/{translationId}`,
  integration: "/integrations/{integrationName}",
  installation: "/integrations/{integrationName}/installations/{installationId}",
};
export const provider = `${org}/saml/{samlProviderId}`;
export const account = `${org}/service-accounts/{serviceAccountId}`;
export const link = `${org}/link-invites/{inviteId}`;
export const ownOrganization = ({ organizationId }: Ids) => ({ organization: organizationId });
