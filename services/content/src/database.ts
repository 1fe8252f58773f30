import type { Role } from "@octavo/shared/access";
import type { SharedTables } from "@octavo/shared/database/shared-tables";
import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<string, string | Date | undefined, string | Date>;
type OptionalTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
type Json<T> = ColumnType<T, string, string>;
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

export type DefaultLevel = Role | "inherit" | null;
export type Visibility = "public" | "unlisted" | "share-link" | "visitor-auth" | "in-collection" | "private";

export interface CollectionTable {
  id: string;
  organization: string;
  title: Generated<string>;
  description: string | null;
  parent: string | null;
  ancestors: Generated<string[]>;
  default_level: ColumnType<DefaultLevel, DefaultLevel | undefined, DefaultLevel>;
  position: string;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What git knows of a space, as `git/info` and `Space.gitSync` show it. */
export interface GitInfo {
  repoName?: string;
  installationProvider?: "github" | "gitlab" | "github-legacy";
  integration?: string;
  url?: string;
  updatedAt?: string;
  /** The commit that the primary content came from; not shown. */
  commit?: string;
  /** The project directory that it was read from; not shown. */
  directory?: string;
  /** When the event happened that the last import was asked for by; not shown. */
  timestamp?: string;
}

export interface SpaceTable {
  id: string;
  organization: string;
  title: Generated<string>;
  emoji: Generated<string>;
  icon: string | null;
  visibility: ColumnType<Visibility, Visibility | undefined, Visibility>;
  edit_mode: ColumnType<"live" | "locked", "live" | "locked" | undefined, "live" | "locked">;
  parent: string | null;
  default_level: ColumnType<DefaultLevel, DefaultLevel | undefined, DefaultLevel>;
  position: string;
  language: string | null;
  git: OptionalJson<GitInfo>;
  /** The current revision of the primary branch. */
  revision: string;
  /** The open ones. */
  comments: Generated<number>;
  /** Kept by the database itself. */
  comments_resolved: Generated<number>;
  change_requests: Generated<number>;
  change_requests_open: Generated<number>;
  change_requests_draft: Generated<number>;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: OptionalTimestamp;
  purging_at: OptionalTimestamp;
}

export interface ContentGrantTable {
  target: string;
  subject: string;
  subject_kind: "user" | "team";
  organization: string;
  role: Role;
  created_at: Timestamp;
  joined_at: string | null;
}

/** The last membership of somebody, or the team, that ended. */
export interface DepartureTable {
  organization: string;
  subject: string;
  joined_at: string;
}

export interface AudienceTable {
  site: string;
  space: string;
  visibility: Visibility;
  url: string | null;
  /** How the site finds out who its visitors are, if it asks them and has told. */
  backend: string | null;
}

export interface PersonTable {
  id: string;
  display_name: string;
  email: string | null;
  photo_url: string | null;
}

export interface BranchTable {
  id: string;
  space: string;
  /** Number of the branch's last revision; 0 while a change request has none of its own. */
  seq: number;
  revision: string;
  base_seq: number | null;
}

export type RevisionType = "edits" | "merge" | "update" | "rollback";

/** The commit that a revision came from or was exported as. */
export interface GitCommit {
  oid: string;
  message: string;
  createdByService: boolean;
  url?: string;
  ref?: string;
}

export interface RevisionTable {
  id: string;
  space: string;
  branch: string;
  seq: number;
  base_seq: number | null;
  type: RevisionType;
  parents: string[];
  merged_from: string | null;
  git: OptionalJson<GitCommit>;
  created_by: string | null;
  created_at: Timestamp;
}

export type EntryKind = "page" | "file" | "reusable" | "variable";

export interface EntryTable {
  branch: string;
  id: string;
  from_seq: number;
  to_seq: number | null;
  kind: EntryKind;
  removed: Generated<boolean>;
  parent: string | null;
  position: string;
  slug: string | null;
  title: string;
  body: string | null;
  git_path: string | null;
  git_oid: string | null;
  props: Json<Record<string, unknown>>;
  created_at: Timestamp;
  updated_at: OptionalTimestamp;
}

export interface BodyTable {
  space: string;
  hash: string;
  markdown: string;
  check_at: OptionalTimestamp;
}

export interface StoredFileTable {
  hash: string;
  received_at: Timestamp;
  check_at: OptionalTimestamp;
}

export type ChangeRequestStatus = "draft" | "open" | "archived" | "merged";

export interface ChangeRequestTable {
  id: string;
  space: string;
  /** The one that the space belongs to. */
  organization: string;
  number: number;
  status: ColumnType<ChangeRequestStatus, ChangeRequestStatus | undefined, ChangeRequestStatus>;
  subject: Generated<string>;
  revision_initial: string;
  revision_merged_ancestor: string | null;
  revision_merged: string | null;
  /** The revisions that were last found in conflict, by their numbers; null when there are none. */
  conflict_primary: number | null;
  conflict_own: number | null;
  /** The open ones. */
  comments: Generated<number>;
  /** Kept by the database itself. */
  comments_resolved: Generated<number>;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What an entry of a change request is merged from, where that is no longer the entry at the branch's base. */
export interface MergeBaseTable {
  change_request: string;
  id: string;
  entry: OptionalJson<object>;
}

export interface ContributorTable {
  change_request: string;
  person: string;
  action: "edit" | "comment";
  count: Generated<number>;
  updated_at: Timestamp;
}

export type ReviewStatus = "approved" | "changes-requested";

export interface ReviewTable {
  id: string;
  change_request: string;
  /** The head of the change request when it was reviewed. */
  revision: string;
  reviewer: string;
  status: ReviewStatus;
  outdated: Generated<boolean>;
  requested_by: string | null;
  /** The users and teams whose request it answered. */
  answered: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface RequestedReviewerTable {
  change_request: string;
  subject: string;
  subject_kind: "user" | "team";
  revision: string;
  requested_by: string;
  created_at: Timestamp;
  joined_at: string | null;
}

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

export interface SearchPageTable {
  space: string;
  page: string;
  organization: string;
  terms: string;
}

export interface SearchSectionTable {
  space: string;
  page: string;
  ordinal: number;
  anchor: string | null;
  title: string;
  body: string;
  terms: string;
}

export interface SearchWordTable {
  space: string;
  key: string;
  word: string;
}

export interface GitOperationTable {
  id: string;
  space: string;
  direction: "import" | "export";
  state: ColumnType<
    "running" | "success" | "failure",
    "running" | undefined,
    "running" | "success" | "failure"
  >;
  stage: Generated<string>;
  /** The request, sealed: its address may hold credentials. */
  request: string;
  revision: string | null;
  error: string | null;
  dispatched_tasks: Generated<number>;
  completed_tasks: Generated<number>;
  created_by: string;
  started_at: Timestamp;
  updated_at: Timestamp;
  completed_at: OptionalTimestamp;
}

/** What a source refers to while it has the text `body`. */
export interface ReferenceTable {
  space: string;
  source: string;
  body: string;
  ordinal: number;
  /** `path` for what is named by where it lies, `url` for what lies elsewhere, else what `target` is the id of. */
  kind: string;
  url: string;
  path: string | null;
  anchor: string | null;
  target: string | null;
  target_space: string | null;
}

export interface OutlineTable {
  space: string;
  body: string;
  anchors: string[];
}

export interface ReferencePendingTable {
  space: string;
}

export interface Database extends SharedTables {
  collection: CollectionTable;
  space: SpaceTable;
  content_grant: ContentGrantTable;
  departure: DepartureTable;
  audience: AudienceTable;
  person: PersonTable;
  branch: BranchTable;
  revision: RevisionTable;
  entry: EntryTable;
  body: BodyTable;
  stored_file: StoredFileTable;
  change_request: ChangeRequestTable;
  merge_base: MergeBaseTable;
  contributor: ContributorTable;
  review: ReviewTable;
  requested_reviewer: RequestedReviewerTable;
  comment: CommentTable;
  comment_reaction: CommentReactionTable;
  search_page: SearchPageTable;
  search_section: SearchSectionTable;
  search_word: SearchWordTable;
  git_operation: GitOperationTable;
  reference: ReferenceTable;
  outline: OutlineTable;
  reference_pending: ReferencePendingTable;
}
