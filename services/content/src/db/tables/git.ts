import type { ColumnType, Generated } from "kysely";
import type { Json, OptionalJson, OptionalTimestamp, Timestamp } from "./columns.js";
import type { EntryKind } from "./store.js";

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
  /** The request, sealed, as its address may hold credentials; empty once the operation has ended. */
  request: string;
  /** The queue of the job; null when the previous release started it. */
  queue: string | null;
  revision: string | null;
  error: string | null;
  /** Why it failed, for programs. */
  reason: "conflict" | "unreachable" | "unsafe_files" | null;
  /** The commit that an export is about to push, and the number of the revision that it holds. */
  pushed: OptionalJson<{ commit: string; seq: number; directory: string; firstOf?: string }>;
  /** What an import left out. */
  skipped: OptionalJson<{ reason: string; count: number; paths: string[] }[]>;
  dispatched_tasks: Generated<number>;
  completed_tasks: Generated<number>;
  created_by: string;
  started_at: Timestamp;
  updated_at: Timestamp;
  completed_at: OptionalTimestamp;
}

/** What a space and a branch had in common when they were last the same. */
export interface GitStateTable {
  space: string;
  /** The project directory. */
  directory: string;
  commit: string;
  /** The number of the revision of the primary content. */
  seq: number;
  /** The texts of `.gitbook.yaml`, the table of contents and `.gitbook/vars.yaml`; null where there is none. */
  settings: string | null;
  summary: string | null;
  variables: string | null;
}

/** Where an old path leads by the settings in the branch. */
export interface GitRedirectTable {
  space: string;
  path: string;
  file: string;
}

/** With which branch a space is kept in step. */
export interface GitSyncTable {
  space: string;
  /** Sealed: the address may hold credentials. */
  settings: string;
  /** Sealed: signs the webhooks of the repository's host. */
  secret: string;
  /** The side that the other one takes everything from; null once it did. */
  initial: "repository" | "space" | null;
  /** A change request in conflict that the previous release put aside. */
  pending: string | null;
  /** The change requests with what both sides changed differently, until they are merged. */
  conflicts: Generated<string[]>;
  /** Why nothing is done for now: who set it may not any more. */
  paused: "permission" | null;
  checked_at: OptionalTimestamp;
  created_by: string;
}

/** What a text of a repository says of its page, kept from one import to the next. */
export interface GitReadingTable {
  space: string;
  path: string;
  oid: string;
  /** By which way of reading. */
  reading: number;
  hash: string;
  source: Json<Record<string, unknown>>;
  /** The files that it points to. */
  links: Json<string[]>;
}

/** A file of the commit that is being imported. */
export interface ImportFileTable {
  operation: string;
  path: string;
  /** The path in one Unicode form, by which any other form of it is found. */
  composed: string;
  oid: string;
  size: string;
  /** The path that a page or file of the space had, when this file is it under a new name. */
  renamed_from: string | null;
  page: Generated<boolean>;
  reusable: Generated<boolean>;
  asset: Generated<boolean>;
  /** Of a text that is kept: its name in the store, and what it says about itself. */
  hash: string | null;
  source: OptionalJson<Record<string, unknown>>;
  /** The files that it points to; null where it was not read, or has problems. */
  links: OptionalJson<string[]>;
}

/** An entry that a space shall have when the import ends, or, `removed`, one that goes. */
export interface ImportEntryTable {
  operation: string;
  /** The pages in the order of the table of contents, then all else. */
  ordinal: number;
  id: string;
  kind: EntryKind;
  /** The ordinal of the page above. */
  parent: number | null;
  /** Among its siblings. */
  place: number | null;
  depth: number | null;
  slug: string | null;
  title: Generated<string>;
  file: string | null;
  occurrence: Generated<number>;
  /** The file that a link leads to, and the anchor in it. */
  leads_to: OptionalJson<{ file: string; anchor?: string }>;
  body: string | null;
  props: Json<Record<string, unknown>>;
  position: string | null;
  /** The whole entry, when it is new or changed. */
  changed: OptionalJson<Record<string, unknown>>;
  removed: Generated<boolean>;
}
