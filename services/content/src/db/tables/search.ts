export interface SearchPageTable {
  space: string;
  page: string;
  organization: string;
  terms: string;
}

/** New pages that the search does not find yet. */
export interface SearchPendingTable {
  space: string;
  page: string;
}

export interface SearchSectionTable {
  space: string;
  page: string;
  ordinal: number;
  anchor: string | null;
  title: string;
  body: string;
  terms: string;
  digest: string | null;
}

export interface SearchWordTable {
  space: string;
  key: string;
  word: string;
}
