import type { BaseContext } from "@octavo/shared/context";
import type { Organization } from "@octavo/shared/schemas/organization";

/** Whose identity a call carries. */
export type Asking = Pick<BaseContext<unknown>, "identity" | "requestId">;

/** What integrations asks of orgs: as the caller of the request, or for itself where there is none. */
export interface Orgs {
  /** The organizations with these ids (at most 1000), as the caller may see them. */
  organizations(asking: Asking, ids: string[]): Promise<Organization[]>;
}
