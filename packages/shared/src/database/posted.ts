import {
  type CompiledQuery,
  type DatabaseConnection,
  type KyselyPlugin,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryExecutorProvider,
  type QueryResult,
  type UnknownRow,
} from "kysely";

type Settings = Parameters<PostgresDriver["beginTransaction"]>[1];

/** Statements of open transactions whose outcome nobody has looked at yet, by connection. */
const open = new WeakMap<DatabaseConnection, Promise<unknown>[]>();
/** What is known of the transactions that are open, by connection. */
const transactions = new WeakMap<DatabaseConnection, Transaction>();
/** So many statements may be on their way: what they hold in memory is bounded. */
const MOST = 20;

/** What can be sent: a statement as it is written, or as it is built. */
interface Statement<Row = unknown> {
  compile(db: QueryExecutorProvider): CompiledQuery<Row>;
}

/** An open transaction. */
interface Transaction {
  /** The schema of the service whose transaction it is. */
  schema: string;
  /** Called when it is committed. */
  committed: Set<() => void>;
}

type Sender = QueryExecutorProvider & { readonly isTransaction: boolean };

/**
 * Sends a statement of a transaction without waiting for its outcome, which nobody needs: the next ones follow on the
 * same way, and the server does them in their order. When it fails the transaction does, with its error. Outside of
 * transactions it is waited for.
 */
export async function post(db: Sender, statement: Statement): Promise<void> {
  await ask(db, statement);
}

/**
 * Like `post` for a statement whose rows are wanted, but not before the transaction has ended: that is when the function
 * which is returned is called. So the commit need not wait for them.
 */
export async function ask<Row>(db: Sender, statement: Statement<Row>): Promise<() => Promise<Row[]>> {
  const compiled = statement.compile(db);
  const executor = db.getExecutor();
  if (!db.isTransaction) {
    const { rows } = await executor.executeQuery(compiled);
    return async () => rows;
  }
  return executor.provideConnection(async (connection) => {
    const before = open.get(connection) ?? [];
    if (before.length % MOST === MOST - 1) await Promise.allSettled(before);
    const rows = rowsOf(connection, compiled, executor.plugins);
    note(connection, rows);
    return () => rows;
  });
}

async function rowsOf<Row>(
  connection: DatabaseConnection,
  compiled: CompiledQuery<Row>,
  plugins: readonly KyselyPlugin[],
): Promise<Row[]> {
  const result = await connection.executeQuery<Row>(compiled);
  for (const plugin of plugins)
    await plugin.transformResult({
      result: result as QueryResult<UnknownRow>,
      queryId: compiled.queryId,
    });
  return result.rows;
}

function note(connection: DatabaseConnection, sent: Promise<unknown>) {
  // It is looked at by whoever commits, or has another statement fail.
  sent.catch(() => undefined);
  const before = open.get(connection);
  if (before) before.push(sent);
  else open.set(connection, [sent]);
}

/** The open transaction, to which may be added what is called when it is committed; undefined outside of transactions. */
export const transactionOf = (db: Sender): Promise<Transaction | undefined> | undefined =>
  db.isTransaction
    ? db.getExecutor().provideConnection(async (connection) => transactions.get(connection))
    : undefined;

/** The error of the first posted statement that failed, when the transaction of a connection fails. */
export async function failureOfPosted(db: QueryExecutorProvider): Promise<unknown> {
  const sent = await db.getExecutor().provideConnection(async (connection) => open.get(connection) ?? []);
  const outcomes = await Promise.allSettled(sent);
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}

/** The driver of PostgreSQL with transactions that wait for nothing but what is asked for: `begin` is posted as well. */
export class PostingDriver extends PostgresDriver {
  readonly #schema: string;

  constructor(config: PostgresDialectConfig, schema: string) {
    super(config);
    this.#schema = schema;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: Settings): Promise<void> {
    open.delete(connection);
    transactions.set(connection, { schema: this.#schema, committed: new Set() });
    note(connection, super.beginTransaction(connection, settings));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const sent = open.get(connection) ?? [];
    open.delete(connection);
    // Where one of them has failed, the server rolls back instead.
    const committed = super.commitTransaction(connection);
    committed.catch(() => undefined);
    await Promise.all(sent);
    await committed;
    for (const call of transactions.get(connection)?.committed ?? []) call();
    transactions.delete(connection);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    open.delete(connection);
    transactions.delete(connection);
    await super.rollbackTransaction(connection);
  }
}
