import type pg from "pg";
import type { StreamState } from "./stream.js";

/** How far a service had got with the stream when it was last here. */
export interface Cursor {
  created: string;
  /** Of the last message of its own that it published or read. */
  sequence: number;
  /** What distinguishes the message at the sequence from any other: the time in ns at which the stream took it. */
  stamp: string | null;
  /** Up to here nothing is left to be read. */
  seen: number;
}

/** `relay`, or `consumer <publisher>`. */
type Role = string;

/** A connection that takes one statement after the other. */
export type Writer = Pick<pg.Client, "query">;

/** Reads how far a role has read a stream; undefined when it has not begun. */
export async function readCursor(client: Writer, role: Role, stream: string): Promise<Cursor | undefined> {
  const { rows } = await client.query<Cursor>(
    "select created, sequence, stamp, seen from event_cursor where role = $1 and stream = $2",
    [role, stream],
  );
  return rows[0];
}

/** Stores how far a role has read a stream. */
export async function writeCursor(client: Writer, role: Role, stream: string, cursor: Cursor) {
  await client.query(
    `insert into event_cursor (role, stream, created, sequence, stamp, seen) values ($1, $2, $3, $4, $5, $6)
     on conflict (role, stream) do update
     set created = excluded.created, sequence = excluded.sequence, stamp = excluded.stamp,
       seen = excluded.seen`,
    [role, stream, cursor.created, cursor.sequence, cursor.stamp, cursor.seen],
  );
}

/** The cursor of a service that has not begun with the stream. */
export const atBeginning = (created: string): Cursor => ({ created, sequence: 0, stamp: null, seen: 0 });

/**
 * Whether the stream is not the one that the cursor points into: created anew, or set back. A stream that was set back
 * and filled again since is not noticed here: who asks has to look at the message at the cursor, too.
 */
export function isRewound(cursor: Cursor, state: Pick<StreamState, "created" | "lastSequence">): boolean {
  return cursor.created !== state.created || state.lastSequence < Math.max(cursor.sequence, cursor.seen);
}
