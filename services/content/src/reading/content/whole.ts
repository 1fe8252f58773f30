import { writeJson } from "@octavo/shared/rest/written-json";
import type { ResolvedTarget } from "../../revisions/target.js";
import { type Version, versionOfRevision } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

// A whole space is read by statements of its own, whose rows come in pieces, after its revision is known.

/** The version that the revision of a target names: the head of the primary content may move on meanwhile. */
export const fixedVersion = async (
  ctx: Ctx,
  { space, version, changeRequest }: ResolvedTarget,
): Promise<Version> =>
  changeRequest || version.seq !== undefined ? version : versionOfRevision(ctx, space, version.revision);

/** The output of a rule; for REST clients its bytes stand for it, made before the turn of its caller is over. */
export const written = async <Output extends object>({ requested }: Ctx, output: Output): Promise<Output> =>
  requested ? ((await writeJson(output)) as never) : output;
