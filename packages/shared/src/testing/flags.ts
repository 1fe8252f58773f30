import { errorBody } from "../errors.js";

/** Whether an operation is let through: false when it is refused with 403 or 404, and it rejects with any other failure. */
export const isLetThrough = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      const { status } = errorBody(error, "");
      if (status !== 403 && status !== 404) throw error;
      return false;
    },
  );

/** An operation by the flag that promises it: whether its guard lets the caller through. */
export type Guarded = Record<string, () => Promise<boolean>>;

/**
 * Says which flags of a response are not what their guards say, as `flag: what`: those that differ, those that no
 * operation is held against, and those that the response does not have. A response that the caller does not get has all
 * flags false. What other services guard is named in `elsewhere`, and held against there.
 */
export async function flagProblems(
  shown: Record<string, boolean> | undefined,
  guarded: Guarded,
  elsewhere: string[] = [],
): Promise<string[]> {
  const problems: string[] = [];
  for (const flag of Object.keys(shown ?? {}))
    if (!Object.hasOwn(guarded, flag) && !elsewhere.includes(flag))
      problems.push(`${flag}: no operation is held against it`);
  for (const [flag, isLetThrough] of Object.entries(guarded)) {
    if (shown && !Object.hasOwn(shown, flag)) {
      problems.push(`${flag}: the response has no such flag`);
      continue;
    }
    const says = shown?.[flag] ?? false;
    const does = await isLetThrough();
    if (says !== does) problems.push(`${flag}: shown as ${says}, and ${does ? "let through" : "refused"}`);
  }
  return problems;
}
