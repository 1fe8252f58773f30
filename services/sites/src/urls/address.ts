import { refuse } from "@octavo/shared/errors";

/** One segment of a path: as it stands in the address, and decoded. */
export interface Segment {
  raw: string;
  text: string;
}

/** An address, taken apart. The scheme, the query and the fragment decide nothing about what is shown there. */
export interface Address {
  /** The host with its port, in lower case. */
  host: string;
  hostname: string;
  segments: Segment[];
  /** The query with its question mark; empty without one. */
  search: string;
}

/** Takes an absolute address apart; 400 when its path is no valid UTF-8. Empty segments count for nothing. */
export function readAddress(url: string): Address {
  const { host, hostname, pathname, search } = new URL(url);
  return { host, hostname, segments: pathname.split("/").filter(Boolean).map(segmentOf), search };
}

function segmentOf(raw: string): Segment {
  try {
    return { raw, text: decodeURIComponent(raw) };
  } catch {
    refuse("BAD_REQUEST", "url: its path is not valid percent-encoded UTF-8");
  }
}

/** A path of segments that ends with a slash. */
export const folderOf = (segments: Segment[]): string =>
  segments.reduce((path, { raw }) => `${path}${raw}/`, "/");

/** Whether two words are the same in an address, where case counts for nothing. */
export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
