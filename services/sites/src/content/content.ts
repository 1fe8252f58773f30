import type { BaseContext } from "@octavo/shared/context";
import type { Role } from "@octavo/shared/contracts/roles";
import type { Space } from "@octavo/shared/contracts/schemas/space";
import type { Page } from "@octavo/shared/paginate";

/** How many spaces content is asked about in one call. */
export const AT_ONCE = 1000;

/** What a new space of a new site starts with. */
export type Filling = "sample" | "empty";

/** Whose identity and address a call carries, and until when its response is of use. */
export type Requester = Pick<BaseContext<unknown>, "identity" | "requestId" | "ip" | "signal">;

/**
 * The requester of a call that the service makes as itself on behalf of a request. Its signal is made when it is read, since
 * Node keeps each that was made for long.
 */
export const withoutIdentity = (ctx: Requester): Requester => ({
  requestId: ctx.requestId,
  ip: ctx.ip,
  get signal() {
    return ctx.signal;
  },
});

/** What a caller may decide in an organization, as it is stored at the moment of the response. */
export interface Standing {
  /** null is a guest. */
  role: Role | null;
  /** Spaces whose audience the caller may not decide, and whether the caller may read them. */
  undecided: { id: string; readable: boolean }[];
}

/** What is searched for in spaces of an organization: at most 1000. */
export interface Search {
  organizationId: string;
  spaces: string[];
  query: string;
  page?: string;
  limit: number;
}

export interface Found {
  id: string;
  title: string;
  path: string;
  urls: { app: string };
}

/** A space with pages that were found in it. */
export interface FoundSpace {
  id: string;
  title: string;
  pages: (Found & { ancestors: { id: string; title: string }[]; sections?: (Found & { body: string })[] })[];
}

/** Whose a space is, and the revision that its content is at now. */
export interface Head {
  id: string;
  organization: string;
  revision: string;
}

/** A font file that was uploaded, and where it is served. */
export interface UploadedFont {
  key: string;
  url: string;
  format: "woff2" | "woff";
}

/** A path below the root of a space, decoded, at a revision, and the visitor who asks for it. */
export interface AskedPage {
  space: string;
  revision: string;
  path: string;
  claims: Record<string, unknown>;
}

/** What sites asks of the content service: as the caller of the request, or for itself where there is none. */
export interface Content {
  /** The spaces among `ids` (at most 1000) that the caller may read; those in the trash are not among them. */
  lookup(asking: Requester, ids: string[]): Promise<Space[]>;
  /** The heads of the spaces among `ids` (at most 1000) that are not in the trash, as the service itself. */
  heads(ids: string[]): Promise<Head[]>;
  /** As long as this is the same, so is what `lookup` returns to the visitor who asks. */
  digest(asking: Requester): Promise<string>;
  /** The caller's role, and which of these spaces (any number) of the organization the caller may not show. */
  standing(asking: Requester, organization: string, spaces: string[]): Promise<Standing>;
  /**
   * The path of a page in a space that the caller may view, in its primary content unless a revision is named; undefined
   * when it has none there.
   */
  pagePath(
    asking: Requester,
    of: { space: string; page: string; revision?: string },
  ): Promise<string | undefined>;
  /**
   * The path of the page or group at a path of a revision, but for case, or else of the one that had this path last;
   * undefined when a visitor with these claims is shown none. Asked as the service itself.
   */
  pageAt(asking: Requester, at: AskedPage): Promise<string | undefined>;
  /** The pages of these spaces that hold the words and that the caller may read, grouped by space. */
  search(asking: Requester, search: Search): Promise<Page<FoundSpace>>;
  /** Creates a space with a new id that the caller has noted; asked again with it, returns the same space. */
  create(asking: Requester, input: { organizationId: string; title: string; id: string }): Promise<Space>;
  /** Writes the pages of a sample into a space. */
  fill(asking: Requester, id: string): Promise<void>;
  /** Whether an event of this service has had its effect at content, which it waits for, some seconds at most. */
  hears(asking: Requester, event: string): Promise<boolean>;
  /** Keeps those of the uploads (at most 100) that came in for this organization for good. */
  takeUploads(asking: Requester, organization: string, keys: string[]): Promise<UploadedFont[]>;
  /** Moves a space to the trash. */
  discard(asking: Requester, id: string): Promise<void>;
}
