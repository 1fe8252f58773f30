import { isObject, objectIn } from "../data.js";
import type { Part } from "./schema.js";

/** What a request or a response holds, in one or several media types that have the same schema. */
export interface Media {
  types: string[];
  schema: Part | undefined;
  /** The first of them, as the document describes it. */
  about: Part;
}

const MAX_MEDIA_TYPES = 12;

/** The media types of a body or a response, JSON first; those with the same schema are one. */
export function mediaOf(about: Part | undefined): Media[] {
  const content = Object.entries(objectIn(about, "content") ?? {}).slice(0, MAX_MEDIA_TYPES);
  const isJson = ([type]: [string, unknown]) => /json/i.test(type);
  const found = new Map<string, Media>();
  for (const [type, media] of [...content.filter(isJson), ...content.filter((one) => !isJson(one))]) {
    const part = isObject(media) ? media : {};
    const schema = objectIn(part, "schema");
    const key = JSON.stringify(schema) ?? "";
    const same = found.get(key);
    if (same) same.types.push(type);
    else found.set(key, { types: [type], schema, about: part });
  }
  return [...found.values()];
}
