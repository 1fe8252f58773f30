/**
 * Why a git operation failed, for programs. `conflict`: both sides have changed. `unreachable`: the remote is away or
 * busy, and may be back soon. `unsafe_files`: the space has files that can be run.
 */
export const FAILURE_REASONS = ["conflict", "unreachable", "unsafe_files"] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Why a git operation failed, in words for the person who started it. */
export class GitError extends Error {
  readonly reason: FailureReason | undefined;

  constructor(message: string, reason?: GitError["reason"]) {
    super(message);
    this.name = "GitError";
    this.reason = reason;
  }
}

export const NO_SUCH_REF = "There is no such ref in a git repository at this address";
export const NO_REPOSITORY = "There is no git repository at this address";
export const IS_EMPTY = "The repository is empty";

const REASONS: [RegExp, string, GitError["reason"]?][] = [
  [/couldn't find remote ref|no such ref|couldn't find remote/i, NO_SUCH_REF],
  [/expected commit type/i, "The ref leads to no commit"],
  [
    /stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists/i,
    "The branch has changed in the meantime: import it first",
    "conflict",
  ],
  // A repository with a working tree, into which another push is just written: also one of ours that was cut off.
  [
    /up-to-date check failed|staged changes|could not update working tree/i,
    "The files of the repository are being changed by somebody else",
    "unreachable",
  ],
  [/remote rejected|hook declined|protected branch/i, "The repository refused the push"],
  [
    /authentication failed|could not read username|terminal prompts disabled|error: 40[13]/i,
    "The repository refused the credentials",
  ],
  [
    /not valid: is this a git repository|repository .* not found|returned error: 404|not a git repository/i,
    NO_REPOSITORY,
  ],
  [
    /redirect|returned error: 30\d/i,
    "The address redirects elsewhere; give the address of the repository itself",
  ],
  [/operation too slow|timed out|timeout/i, "The repository did not respond in time"],
  [
    /could not resolve host|failed to connect|connection refused|connection reset|couldn't connect/i,
    "The repository could not be reached",
    "unreachable",
  ],
  [/returned error: 5\d\d/i, "The host of the repository failed", "unreachable"],
  [
    /unexpected disconnect|early eof|hung up unexpectedly|empty reply|transfer closed/i,
    "The connection to the repository broke off",
    "unreachable",
  ],
  [/out of memory|cannot allocate|mmap failed/i, "The repository takes too much memory to be read"],
  [/ssl|certificate/i, "The certificate of the repository's host is not trusted"],
];

/** Files that a failure names. */
export const MOST_NAMED = 10;

/** The first of some files, and how many more there are. */
export function named(files: string[], count = files.length): string {
  const shown = files.slice(0, MOST_NAMED);
  const more = count > shown.length ? ` and ${count - shown.length} more` : "";
  return shown.join(", ") + more;
}

/** The failure that git's words mean. They may name addresses, and are not passed on. */
export function failureOf(printed: string): GitError {
  const [, message = "The repository could not be read by git", reason] =
    REASONS.find(([pattern]) => pattern.test(printed)) ?? [];
  return new GitError(message, reason);
}
