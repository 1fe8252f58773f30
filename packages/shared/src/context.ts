import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Caller } from "./contracts/callers.js";
import type { Logger } from "./log.js";
import type { Urls } from "./urls.js";

/** What a rule may say about its response besides the body. */
export interface Reply {
  status?: number;
  headers: Record<string, string>;
}

/** What every rule of every service is handed. A service adds its own resources to it. */
export interface BaseContext<Database> {
  /** The service's own schema; inside `transact` it is the open transaction. */
  db: Kysely<Database>;
  caller: Caller;
  /** The signed identity of the caller, to hand on to a service below. */
  identity?: string;
  /** What a client asked for over REST: the address, and the tags under which it has responses to it. */
  requested?: { url: string; ifNoneMatch?: string };
  requestId: string;
  traceparent?: string;
  /** Aborts when the client goes away. */
  readonly signal?: AbortSignal;
  reply: Reply;
  log: Logger;
  urls: Urls;
  clock: () => Date;
  /** Address of the client, as the gateway saw it. */
  ip?: string;
}

/** The argument of a rule whose input has the given schema. */
export interface RuleCall<Context, Input extends z.ZodType> {
  ctx: Context;
  input: z.output<Input>;
}
