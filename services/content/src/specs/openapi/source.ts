import type { Source } from "./schema.js";

/** The columns that hold the source of a specification. */
export const columnsOf = ({ url, text }: Source) => ({ source_url: url ?? null, source_text: text ?? null });

/** What the audit log says of a source: of an address only the host, since the rest may hold a key. */
export const sourceName = ({ url }: Source) => (url === undefined ? "text" : new URL(url).host);
