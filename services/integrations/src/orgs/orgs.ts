import type { BaseContext } from "@octavo/shared/context";
import type { Role } from "@octavo/shared/contracts/roles";
import type { Organization } from "@octavo/shared/contracts/schemas/organization";

/** Whose identity a call carries. */
export type Requester = Pick<BaseContext<unknown>, "identity" | "requestId">;

/** What integrations asks of orgs. What is shown is asked as the caller, if there is one; what decides, for itself. */
export interface Orgs {
  /** The organizations with these ids (at most 1000), as the caller may see them. */
  organizations(asking: Requester, ids: string[]): Promise<Organization[]>;
  /** The role of a user in an organization, null for a guest; undefined for who is not in it. */
  membership(
    asking: Requester,
    organization: string,
    user: string,
  ): Promise<{ role: Role | null } | undefined>;
}
