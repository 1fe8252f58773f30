import type { Data } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";

// A document is what somebody wrote, and its data may hold anything: what is of another type than it should be is as
// good as missing.

/** What data itself holds under a name. */
const own = (data: Data | undefined, name: string): unknown =>
  data && Object.hasOwn(data, name) ? data[name] : undefined;

/** A text in data; undefined for anything else and for none. */
export const textIn = (data: Data | undefined, name: string): string | undefined => {
  const value = own(data, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** A number in data, also one that is written as a text. */
export const numberIn = (data: Data | undefined, name: string): number | undefined => {
  const value = own(data, name);
  const number = typeof value === "string" && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** Whether data says so, as true or as the text of it. */
export const isSet = (data: Data | undefined, name: string): boolean =>
  data?.[name] === true || data?.[name] === "true" || data?.[name] === "";

/** A reference in data. */
export const refIn = (data: Data | undefined, name = "ref"): Ref | undefined => {
  const value = objectIn(data, name);
  return value && typeof value.kind === "string" ? (value as Ref) : undefined;
};

/** Whether a value is an object that is no list. */
export const isObject = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object in data that is no list. */
export const objectIn = (data: Data | undefined, name: string): Data | undefined => {
  const value = own(data, name);
  return isObject(value) ? value : undefined;
};

/** The entries of a list in data. */
export const listIn = (data: Data | undefined, name: string): unknown[] => {
  const value = own(data, name);
  return Array.isArray(value) ? value : [];
};

/** One of the values, or undefined. */
export const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value);

/** A length in whole pixels; undefined for percents and for what is none. */
export function pixelsIn(data: Data | undefined, name: string): number | undefined {
  const length = objectIn(data, name);
  const number = length
    ? length.unit === "px"
      ? numberIn(length, "value")
      : undefined
    : numberIn(data, name);
  return number !== undefined && number >= 1 && number <= 10_000 ? Math.round(number) : undefined;
}

/** A length in percent of what is around; undefined for pixels and for what is none. */
export function percentIn(data: Data | undefined, name: string): number | undefined {
  const length = objectIn(data, name);
  const number = length?.unit === "%" ? numberIn(length, "value") : undefined;
  return number !== undefined && number > 0 && number <= 100 ? Math.round(number * 100) / 100 : undefined;
}
