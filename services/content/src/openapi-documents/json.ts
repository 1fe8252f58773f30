/** What a document is made of. Aliases of YAML are the same value in several places. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field that the value itself has, whatever it is called. */
export const fieldOf = (value: unknown, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The entries of a field that is an object; none of anything else. */
export const entriesOf = (value: unknown, name: string): [string, Json][] => {
  const field = fieldOf(value, name);
  return isObject(field) ? Object.entries(field) : [];
};
