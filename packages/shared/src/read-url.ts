/**
 * Reads an address, absolute or relative to a base; undefined for what is none. `URL.canParse` must not be asked: in Node 20,
 * once it was called some thousand times, it refuses each address whose host has a letter of Latin that is not in ASCII.
 */
export function readUrl(address: string, base?: string | URL): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
