import { EgressError } from "@octavo/shared/egress/client";
import { WorkFailed } from "@octavo/shared/workers/pool";
import type { ProcessErrorCode } from "../../db/tables/specs.js";

/** Why a source failed, as the specification reports it. */
export interface Failure {
  code: ProcessErrorCode;
  errors: { message: string; code?: string }[];
}

/** A source that cannot be had, or is not what it should be. */
export class SourceError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.errors[0]?.message);
    this.name = "SourceError";
    this.failure = failure;
  }
}

/** What an error reports about the source; undefined for one that is unrelated. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof SourceError) return error.failure;
  if (error instanceof WorkFailed) return { code: "PARSE_ERROR", errors: [{ message: error.message }] };
  if (!(error instanceof EgressError)) return undefined;
  const code = error.reason === "egress_timeout" ? "FETCH_TIMEOUT" : "FETCH_ERROR";
  return { code, errors: [{ message: error.message, code: error.reason }] };
}
