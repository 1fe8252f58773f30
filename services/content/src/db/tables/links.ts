import type { Generated } from "kysely";

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
  /** The reading that found them. */
  reading: Generated<number>;
}

export interface ReferencePendingTable {
  space: string;
}
