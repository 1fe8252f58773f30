import type { BaseContext } from "@octavo/shared/context";
import type { Space } from "@octavo/shared/schemas/space";

/** What a new space of a new site starts with. */
export type Filling = "sample" | "empty";

/** Whose identity and address a call carries, and until when its answer is of use. */
export type Asking = Pick<BaseContext<unknown>, "identity" | "requestId" | "ip" | "signal">;

/** What sites asks of the content service: as the caller of the request, or for itself where there is none. */
export interface Content {
  /** The spaces among `ids` (at most 1000) that the caller may read; those in the trash are not among them. */
  lookup(asking: Asking, ids: string[]): Promise<Space[]>;
  create(asking: Asking, input: { organizationId: string; title: string }): Promise<Space>;
  /** Writes the pages of a sample into a space. */
  fill(asking: Asking, id: string): Promise<void>;
  /** Moves a space to the trash. */
  discard(asking: Asking, id: string): Promise<void>;
}
