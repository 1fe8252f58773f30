import { codeOf, isGone } from "../cache/upstream-errors.js";

/** The parts of a page without which it can be shown as well. */
export interface OptionalParts {
  /** Resolves to the part that was asked for; to undefined where it does not exist or its service is unavailable. */
  load<Part>(asked: Promise<Part>): Promise<Part | undefined>;
  /** Whether a service was unavailable: what is drawn without its parts is not all that there is. */
  readonly areMissing: boolean;
}

/** Creates a record of the optional parts of one response. */
export function createOptionalParts(): OptionalParts {
  let areMissing = false;
  return {
    load: (asked) =>
      asked.catch((error: unknown) => {
        // A token that is not good any more ends the request, which is served again with another one.
        if (codeOf(error) === "UNAUTHORIZED") throw error;
        areMissing ||= !isGone(error);
        return undefined;
      }),
    get areMissing() {
      return areMissing;
    },
  };
}
