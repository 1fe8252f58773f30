import type { Logger } from "../log.js";

/** The server cannot be reached: it is not there, or its host is not. */
const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** SQLSTATEs: connections that broke (08), too many of them (53300), and a server that stops, crashed or starts (57P0x). */
const STATE = /^(08...|53300|57P0[1-5])$/;
/** SQLSTATEs: the role or its password is refused (28, 42501), or the database or schema is not there (3D, 3F). */
const UNUSABLE = /^(28...|3D...|3F...|42501)$/;
/** What the driver says without a code. */
const SAID =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (has encountered a connection error|was closed) and is not queryable)/;

/** Whether the error says that the database could not be asked; it will be again, without anything being done here. */
export function isDatabaseAway(error: { code?: unknown; message?: unknown }): boolean {
  const { code, message } = error;
  if (typeof code === "string" && (NETWORK.has(code) || STATE.test(code))) return true;
  return typeof message === "string" && SAID.test(message);
}

/** What kept a service from its database, in one phrase with its address; undefined when it was something else. */
export function describeDatabaseError(error: unknown, url: string): string | undefined {
  const { code, message, errors } = Object(error) as { code?: unknown; message?: string; errors?: Error[] };
  const unusable = typeof code === "string" && UNUSABLE.test(code);
  if (!unusable && !isDatabaseAway({ code, message })) return;
  // Where a host has several addresses, each has failed for a reason of its own.
  const reasons = errors?.map((one) => one.message) ?? [message];
  const { host, pathname } = new URL(url);
  return `the database at ${host}${pathname} cannot be used: ${reasons.join(", ")}`;
}

/** Logs what made something impossible: in one line without a stack, when that is the database. */
export function logFatal(log: Logger, what: string, error: unknown, url: string): void {
  const description = describeDatabaseError(error, url);
  if (description) log.fatal(`${what}: ${description}`);
  else log.fatal({ err: error }, what);
}
