import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

const ofOperation = z.object({ operation: z.string() });

/** Tries of an operation while the remote is away, with a growing pause between them. */
export const MOST_TRIES = 3;

/** An import of a repository. Its failures are recorded with the operation; a remote that is away, and a crash, are tried again. */
export const importGit = defineJob("git.import", ofOperation, { attempts: 5, deadlineMs: 18 * 60_000 });

/** An export to a repository, as an import is done. */
export const exportGit = defineJob("git.export", ofOperation, { attempts: 5, deadlineMs: 18 * 60_000 });
