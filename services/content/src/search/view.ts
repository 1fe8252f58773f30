import type { Urls } from "@octavo/shared/urls";
import { pathOf } from "../store/entries.js";
import { excerptOf } from "./excerpt.js";
import type { LineEntry, SectionText } from "./queries.js";
import type { Query } from "./query.js";
import type { PageHit } from "./rank.js";

/** A page that was found, with the sections below its title that were; `texts` are of those that came without. */
export function pageResult(urls: Urls, hit: PageHit, line: LineEntry[], texts: SectionText[], query: Query) {
  const { id, title } = line[0]!;
  const path = pathOf(line);
  const app = urls.app`/s/${hit.space}/${id}`;
  const sections = hit.sections.map(({ ordinal, anchor, title, body }) => ({
    id: anchor ?? id,
    title,
    path: anchor ? `${path}#${anchor}` : path,
    body: excerptOf(body ?? texts.find((text) => text.ordinal === ordinal)?.body ?? "", query.words),
    urls: { app: anchor ? `${app}#${anchor}` : app },
  }));
  return { id, title, path, sections, urls: { app } };
}
