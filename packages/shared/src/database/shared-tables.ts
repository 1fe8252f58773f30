import { type ColumnType, type Generated, type Kysely, sql } from "kysely";

type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** An event on its way out. Rows stay for a while after they were published, in case NATS loses its data. */
export interface OutboxTable {
  /** The order in which events leave. */
  position: Generated<number>;
  id: string;
  name: string;
  aggregate: string;
  /** The envelope, as it is published. */
  body: ColumnType<unknown, string, string>;
  occurred_at: Defaulted<string>;
  published_at: Defaulted<string | null>;
  /** Whether it was published with a signature; earlier releases published without. */
  signed: Defaulted<boolean>;
}

/** An event that came in and that this service listens to. */
export interface InboxTable {
  id: string;
  /** The order of arrival; handled in this order per aggregate. */
  position: Generated<number>;
  name: string;
  aggregate: string;
  body: ColumnType<unknown, string, string>;
  received_at: Defaulted<string>;
  attempts: Defaulted<number>;
  /** Not tried again before this time. */
  due_at: Defaulted<string>;
  handled_at: Defaulted<string | null>;
  /** Set when its tries are used up; it waits for a replay, the others go on. */
  parked_at: Defaulted<string | null>;
  error: Defaulted<string | null>;
}

/** How far the service has got with an event stream, to notice when NATS lost or rewound it. */
export interface EventCursorTable {
  /** `relay`, or `consumer <publisher>`. */
  role: string;
  stream: string;
  /** When the stream was created, as NATS says. */
  created: string;
  sequence: number;
  stamp: Defaulted<string | null>;
  seen: Defaulted<number>;
}

/** When the newest handled event of a state of an aggregate happened, in microseconds. */
export interface EventStateTable {
  state: string;
  aggregate: string;
  newest: number;
}

/** The tables of the kit, to be spread into a service's own: `interface Database extends SharedTables`. */
export interface SharedTables {
  outbox: OutboxTable;
  inbox: InboxTable;
  event_cursor: EventCursorTable;
  event_state: EventStateTable;
}

/** Creates the tables that `emit` and the relay need. */
export async function outboxTables<Database>(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("outbox")
    .addColumn("position", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("aggregate", "text", (column) => column.notNull())
    .addColumn("body", "jsonb", (column) => column.notNull())
    .addColumn("occurred_at", "timestamptz(3)", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("published_at", "timestamptz(3)")
    .execute();
  await sql`create index outbox_waiting on outbox (position) where published_at is null`.execute(db);
  await sql`create index outbox_published on outbox (published_at) where published_at is not null`.execute(
    db,
  );
  await cursorTable(db);
}

/** Creates the tables that the consumer needs. */
export async function inboxTables<Database>(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable("inbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("position", "bigint", (column) => column.notNull().generatedAlwaysAsIdentity())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("aggregate", "text", (column) => column.notNull())
    .addColumn("body", "jsonb", (column) => column.notNull())
    .addColumn("received_at", "timestamptz(3)", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("due_at", "timestamptz(3)", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("handled_at", "timestamptz(3)")
    .addColumn("parked_at", "timestamptz(3)")
    .addColumn("error", "text")
    .execute();
  const waiting = sql`where handled_at is null and parked_at is null`;
  await sql`create index inbox_waiting on inbox (position) ${waiting}`.execute(db);
  await sql`create index inbox_chain on inbox (aggregate, position) ${waiting}`.execute(db);
  await sql`create index inbox_handled on inbox (handled_at) where handled_at is not null`.execute(db);
  await sql`create index inbox_parked on inbox (parked_at) where parked_at is not null`.execute(db);
  await cursorTable(db);
}

/** Adds what signed events, their order and the proof of the stream need. */
export async function signedEventTables<Database>(db: Kysely<Database>): Promise<void> {
  await sql`alter table outbox add column signed boolean not null default false`.execute(db);
  await sql`alter table event_cursor add column stamp text, add column seen bigint not null default 0`.execute(
    db,
  );
  await db.schema
    .createTable("event_state")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("aggregate", "text", (column) => column.notNull())
    .addColumn("newest", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("event_state_pkey", ["state", "aggregate"])
    .execute();
}

function cursorTable<Database>(db: Kysely<Database>): Promise<void> {
  return db.schema
    .createTable("event_cursor")
    .ifNotExists()
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("stream", "text", (column) => column.notNull())
    .addColumn("created", "text", (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("event_cursor_pkey", ["role", "stream"])
    .execute();
}
