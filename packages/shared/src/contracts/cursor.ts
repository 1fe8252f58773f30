/** What a cursor holds: the order keys of the last item of a page. */
export type Key = string | number;

export const NO_CURSOR = "is not a cursor of this list";

/** The cursor that stands for the order keys of an item. */
export function encodeCursor(keys: unknown[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** The keys of a cursor of any list; undefined when it is none. */
export function keysIn(cursor: string): Key[] | undefined {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const sound = (key: unknown) => (typeof key === "string" && !key.includes("\0")) || Number.isFinite(key);
    return Array.isArray(keys) && keys.every(sound) ? (keys as Key[]) : undefined;
  } catch {
    return undefined;
  }
}
