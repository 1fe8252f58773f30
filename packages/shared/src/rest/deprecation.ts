/** That an operation is to go. Dates are days (`2026-11-21`), read in UTC. */
export interface Deprecation {
  /** Since when it should not be used any more. */
  since: string;
  /** From when on it may be gone. */
  sunset?: string;
}

/**
 * The headers of a deprecated operation, names and values in turn: `Deprecation` (RFC 9745) and, once it is known, `Sunset`
 * (RFC 8594). Throws for what is no day, and for a sunset that is not after the deprecation.
 */
export function deprecationHeaders({ since, sunset }: Deprecation): string[] {
  const from = timeOf(since);
  const headers = ["deprecation", `@${from / 1000}`];
  if (sunset === undefined) return headers;
  const until = timeOf(sunset);
  if (until <= from) throw new RangeError(`A sunset on ${sunset} is not after the deprecation on ${since}`);
  return [...headers, "sunset", new Date(until).toUTCString()];
}

/** The note of the reference about a deprecated operation: the dates of its headers. */
export const describeDeprecation = ({ since, sunset }: Deprecation): string =>
  sunset === undefined
    ? `Deprecated since ${since}.`
    : `Deprecated since ${since}, and may be gone from ${sunset} on.`;

function timeOf(day: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new RangeError(`${day} is not a day such as 2026-11-21`);
  return time;
}
