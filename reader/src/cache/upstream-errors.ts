// What it means that a call to a service failed.

type Codes = ReadonlySet<string | undefined>;
const GONE: Codes = new Set(["NOT_FOUND", "FORBIDDEN"]);
const REFUSED: Codes = new Set(["NOT_FOUND", "BAD_REQUEST"]);
const UNAVAILABLE: Codes = new Set([undefined, "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR"]);

/** The code of a refusal that a service sent; undefined when none responded. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { data?: { code?: unknown } } | null)?.data?.code;
  return typeof code === "string" ? code : undefined;
}

/** Whether there was no response, or none that could be used. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(codeOf(error));

/** Whether a service said that there is nothing, or nothing any more, for whoever asks. */
export const isGone = (error: unknown): boolean => GONE.has(codeOf(error));

/** Makes a promise undefined when the call fails with one of these codes; it rejects with any other failure. */
const unless =
  (codes: Codes) =>
  async <Value>(asked: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await asked;
    } catch (error) {
      if (!codes.has(codeOf(error))) throw error;
      return undefined;
    }
  };

/** What was asked for; undefined when it is gone. Rejects with any other failure. */
export const unlessGone = unless(GONE);

/** What was asked for; undefined when it does not exist, or cannot by its name. Rejects with any other failure. */
export const unlessRefused = unless(REFUSED);
