import { expect, test } from "vitest";
import { isGone, isUnavailable, unlessGone, unlessRefused } from "./upstream-errors.js";

const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });
const isSwallowed = (unless: typeof unlessGone, error: Error) =>
  unless(Promise.reject(error)).then(
    (value) => value === undefined,
    () => false,
  );

test("a failure means that something is gone, cannot be, or that a service is unavailable", async () => {
  const meaning = async (error: Error) => [
    isGone(error),
    await isSwallowed(unlessGone, error),
    await isSwallowed(unlessRefused, error),
    isUnavailable(error),
  ];
  expect(await meaning(refusal("NOT_FOUND"))).toEqual([true, true, true, false]);
  expect(await meaning(refusal("FORBIDDEN"))).toEqual([true, true, false, false]);
  expect(await meaning(refusal("BAD_REQUEST"))).toEqual([false, false, true, false]);
  expect(await meaning(refusal("UNAUTHORIZED"))).toEqual([false, false, false, false]);
  for (const error of [new TypeError("fetch failed"), refusal("SERVICE_UNAVAILABLE")])
    expect(await meaning(error)).toEqual([false, false, false, true]);
  expect(await unlessGone(Promise.resolve("value"))).toBe("value");
});
