import type pg from "pg";
import type { StreamState } from "./stream.js";

export interface Cursor {
  created: string;
  sequence: number;
}

type Role = "relay" | "consumer";

/** How far this service had got with the stream when it was last here. */
export async function readCursor(client: pg.Client, role: Role, stream: string): Promise<Cursor | undefined> {
  const { rows } = await client.query<Cursor>(
    "select created, sequence from event_cursor where role = $1 and stream = $2",
    [role, stream],
  );
  return rows[0];
}

export async function writeCursor(client: pg.Client, role: Role, stream: string, cursor: Cursor) {
  await client.query(
    `insert into event_cursor (role, stream, created, sequence) values ($1, $2, $3, $4)
     on conflict (role, stream) do update set created = excluded.created, sequence = excluded.sequence`,
    [role, stream, cursor.created, cursor.sequence],
  );
}

/** Whether the stream is not the one that the cursor points into: created anew, or set back. */
export function isRewound(cursor: Cursor, state: Pick<StreamState, "created" | "lastSequence">): boolean {
  return cursor.created !== state.created || state.lastSequence < cursor.sequence;
}
