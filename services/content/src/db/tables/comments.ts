import type { Generated } from "kysely";
import type { OptionalJson, OptionalTimestamp, Timestamp } from "./columns.js";

/** A page as a comment shows what it is about. */
export interface CommentedPage {
  id: string;
  title: string;
  emoji?: string;
  icon?: string;
  createdAt?: string;
  updatedAt?: string;
  path: string;
}

export interface CommentTable {
  id: string;
  space: string;
  /** Of the primary content, which has the id of the space, or of a change request. */
  branch: string;
  /** What it replies to; absent on what replies to nothing. */
  parent: string | null;
  review: string | null;
  revision: string;
  page: string | null;
  page_shown: OptionalJson<CommentedPage>;
  node: string | null;
  /** The first words of the block when it was commented on. */
  node_preview: string | null;
  table_cell: OptionalJson<{ record: string; definition: string }>;
  body: string;
  replies: Generated<number>;
  posted_by: string;
  posted_at: Timestamp;
  edited_at: OptionalTimestamp;
  resolved_by: string | null;
  resolved_at: OptionalTimestamp;
}

export interface CommentReactionTable {
  comment: string;
  emoji: string;
  person: string;
  reacted_at: Timestamp;
}

/** How many comments there are on a page by a person; an empty page or author stands for any. Kept by the database. */
export interface CommentCountTable {
  branch: string;
  page: string;
  author: string;
  space: string;
  open: number;
  resolved: number;
}
