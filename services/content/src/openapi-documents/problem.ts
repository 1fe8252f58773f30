/** What kind of mistake a document has; clients read it as `code`. */
export type ProblemCode = "yaml-parse" | "invalid" | "dereference" | "v2-conversion" | "too-large";

/** One mistake in a document, in words for the person who wrote it. */
export interface Problem {
  message: string;
  code: ProblemCode;
}

/** Problems that are reported at most. */
export const MOST_PROBLEMS = 20;

/** A document that cannot be taken as it is. */
export class DocumentError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems[0]?.message);
    this.name = "DocumentError";
    this.problems = problems;
  }
}

/** Ends the reading of a document with one mistake. */
export function reject(code: ProblemCode, message: string): never {
  throw new DocumentError([{ message: message.slice(0, 500), code }]);
}
