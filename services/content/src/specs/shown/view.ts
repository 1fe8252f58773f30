import type { Excerpt } from "./excerpt.js";
import type { Named } from "./named.js";
import type { OperationsOfPage } from "./schema.js";

/** What a page shows, by its kind; a kind of which it shows nothing is missing but for operations. */
export function shownFrom(found: [Named, Excerpt][]): OperationsOfPage {
  const shown: Required<OperationsOfPage> = { items: [], webhooks: [], schemas: [] };
  for (const [{ spec, file, ...named }, { servers, operation, references }] of found) {
    const of = { ...(spec !== undefined && { spec }), ...(file !== undefined && { file }) };
    if (named.shows === "operation") {
      const { path, method } = named;
      shown.items.push({ ...of, path, method, servers, operation, references });
    } else if (named.shows === "webhook") {
      const { name, method } = named;
      shown.webhooks.push({ ...of, name, method, operation, references });
    } else shown.schemas.push({ ...of, references });
  }
  const { items, webhooks, schemas } = shown;
  return { items, ...(webhooks.length > 0 && { webhooks }), ...(schemas.length > 0 && { schemas }) };
}
