import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { isLong } from "./any-of.js";
import { createNamedQueries } from "./named-query.js";

const MOST_NAMES = 500;
const MOST_PARAMETERS = 40;

/** The names of statements by their texts, as many as the clients of one pool may have. */
export type StatementNames = Map<string, string>;

/**
 * Lets the server keep the plan of parameterised queries: the client's `query(text, values)` becomes a named
 * prepared statement. Statements with many parameters stay unnamed, for their text hardly comes twice, and so do those
 * with a long array, for a plan for any array reads too much, and one that was kept knows nothing of what came in since.
 */
export function nameStatements(client: ClientBase, names: StatementNames): void {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
  const named = createNamedQueries(client);
  let generation = 0;

  const query = (...args: unknown[]) => {
    const [text, values] = args;
    if (args.length !== 2 || typeof text !== "string" || !Array.isArray(values)) return plain(...args);
    const name = nameOf(names, text, values);
    if (!name) return plain(text, values);
    const run = () => named(`${name}_${generation}`, text, values);
    return run().catch((error: unknown) => {
      // To lead to who asked instead of to the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (!isStalePlan(error)) throw error;
      // A migration changed the table under the plan: names of the next generation are planned anew.
      generation += 1;
      if (inTransaction(client)) throw error;
      return run();
    });
  };
  client.query = query as unknown as ClientBase["query"];
}

function nameOf(names: StatementNames, text: string, values: unknown[]): string | undefined {
  if (values.length === 0 || values.length > MOST_PARAMETERS) return undefined;
  if (values.some((value) => Array.isArray(value) && isLong(value))) return undefined;
  const known = names.get(text);
  if (known || names.size >= MOST_NAMES) return known;
  const name = createHash("sha1").update(text).digest("base64url");
  names.set(text, name);
  return name;
}

/** Whether a prepared statement failed because its result columns changed since it was planned. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "0A000" &&
    error.message.includes("cached plan must not change result type")
  );
}

function inTransaction(client: ClientBase): boolean {
  const { getTransactionStatus } = client as ClientBase & { getTransactionStatus?: () => string | null };
  return getTransactionStatus?.call(client) !== "I";
}
