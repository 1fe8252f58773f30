import type { Json, OptionalJson, Timestamp } from "./columns.js";
import type { FileProps } from "./entries.js";

/** Pages that an integration computed of a source, as JSON. */
export interface ComputedResultTable {
  id: string;
  space: string;
  key: string;
  inputs: string;
  pages: OptionalJson<unknown[]>;
  created_at: Timestamp;
}

/** A file that came with a result. */
export interface ComputedFileTable {
  result: string;
  id: string;
  name: string;
  /** Of its content. */
  hash: string;
  props: Json<FileProps>;
}

/** A source that somebody asked for, without a page that declares it. */
export interface ComputedAskTable {
  space: string;
  key: string;
  source: OptionalJson<object>;
  asked_at: Timestamp;
}
