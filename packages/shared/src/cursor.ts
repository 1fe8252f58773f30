import { type Key, keysIn, NO_CURSOR } from "./contracts/cursor.js";
import { refuseAt } from "./errors.js";

/** The keys of a cursor; 400 when it does not hold that many. */
export function decodeCursor(cursor: string, length: number): Key[] {
  const keys = keysIn(cursor);
  return keys?.length === length ? keys : badCursor();
}

/** Ends the request because its `page` is not a cursor of this list. */
export function badCursor(): never {
  refuseAt("query.page", NO_CURSOR);
}
