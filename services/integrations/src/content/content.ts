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
  /** What these integrations, named with their versions, are to compute for a space. */
  wantedSources(asking: Requester, space: string, versions: Record<string, number>): Promise<WantedSource[]>;
  /** The spaces of an organization with pages that scripts compute. */
  computedSpaces(asking: Requester, organization: string): Promise<string[]>;
  /** Has a space show nothing more of what an integration computed for it. */
  forgetSources(asking: Requester, space: string, by: FilledSource["by"]): Promise<unknown>;
  /** Has content fetch a file that a script named; 400 when it is not to be had, 413 when it is too large. */
  receiveFile(asking: Requester, wanted: WantedFile): Promise<ReceivedFile>;
  /**
   * Hands on what a script computed; returns the names of the files that the space has no room for. 400 for what content
   * cannot show, 404 for a space that is gone.
   */
  fillSource(asking: Requester, filled: FilledSource): Promise<{ left: string[] }>;
}

/** A source that is to be computed: what it is, and what it depends on as that is now. */
export interface WantedSource {
  key: string;
  inputs: string;
  type: string;
  props: Record<string, unknown>;
  dependencies: Record<string, unknown>;
}

/** A page that a script computed. */
export interface FilledPage {
  type: "document" | "group";
  id?: string;
  title: string;
  slug?: string;
  description?: string;
  emoji?: string;
  icon?: string;
  document?: unknown;
  markdown?: string;
  computed: { type: string; props?: Record<string, unknown> };
  pages: FilledPage[];
}

/** A file that a script named, for a space. */
export interface WantedFile {
  spaceId: string;
  by: FilledSource["by"];
  file: { name: string; downloadURL: string; size: number; contentType: string };
}

/** A content that content keeps for a day, for a source that names it. */
export interface ReceivedFile {
  hash: string;
  props: { contentType: string; size: number; dimensions?: { width: number; height: number } };
}

/** A file that a script computed; documents name it by its id, or without one by its name. */
export interface FilledFile extends ReceivedFile {
  id?: string;
  name: string;
}

export interface FilledSource {
  spaceId: string;
  key: string;
  inputs: string;
  pages: FilledPage[];
  files: FilledFile[];
  /** Who computed it. */
  by: { integration: string; installation: string; organization: string };
}
