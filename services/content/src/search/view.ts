import type { Urls } from "@octavo/shared/urls";
import { pathOf } from "../store/entries.js";
import { excerptOf } from "./excerpt.js";
import type { LineEntry, SectionText } from "./queries.js";
import type { Query } from "./query.js";
import type { PageHit } from "./rank.js";

/** A page that was found, with the sections below its title that were; `texts` are theirs. */
export function pageResult(urls: Urls, hit: PageHit, line: LineEntry[], texts: SectionText[], query: Query) {
  const { id, title } = line[0]!;
  const path = pathOf(line);
  const app = urls.app`/s/${hit.space}/${id}`;
  const sections = hit.sections.flatMap(({ ordinal, anchor }) => {
    const text = texts.find((one) => one.ordinal === ordinal);
    if (!text) return [];
    return {
      id: anchor ?? id,
      title: text.title,
      path: anchor ? `${path}#${anchor}` : path,
      body: excerptOf(text.body, query.words),
      urls: { app: anchor ? `${app}#${anchor}` : app },
    };
  });
  return { id, title, path, sections, urls: { app } };
}
