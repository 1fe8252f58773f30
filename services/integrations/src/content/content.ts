import type { BaseContext } from "@octavo/shared/context";
import type { Space } from "@octavo/shared/contracts/schemas/space";

/** Whose identity a call carries. */
export type Requester = Pick<BaseContext<unknown>, "identity" | "requestId">;

/** Spaces whose audience the caller may not decide, as it is stored now, and whether the caller may read them. */
export interface Standing {
  undecided: { id: string; readable: boolean }[];
}

/** What integrations asks of content, as the caller of the request. */
export interface Content {
  /** The spaces among `ids` (at most 1000) that the caller may read; those in the trash are not among them. */
  spaces(asking: Requester, ids: string[]): Promise<Space[]>;
  /** Which of these spaces of the organization the caller does not administer; 404 for who is not in it. */
  standing(asking: Requester, organization: string, spaces: string[]): Promise<Standing>;
}
