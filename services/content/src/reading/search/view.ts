import type { Urls } from "@octavo/shared/urls";
import type { Above, PageKey, SectionHit } from "../../search-index/page-parts.js";
import { pathOf } from "../../store/entries.js";
import { excerptOf } from "./excerpt.js";
import type { Shown } from "./queries.js";
import type { Query } from "./query.js";

/** A page that was found, with the sections that were; `line` is the page and what is above it. */
export function pageResult(
  urls: Urls,
  hit: PageKey & { sections: SectionHit[] },
  line: Above[],
  textOf: Shown["textOf"],
  query: Query,
) {
  const { id, title } = line[0]!;
  const path = pathOf(line);
  const app = urls.app`/s/${hit.space}/${id}`;
  const sections = hit.sections.map(({ ordinal, anchor, title, body }) => ({
    id: anchor ?? id,
    title,
    path: anchor ? `${path}#${anchor}` : path,
    body: excerptOf(body ?? textOf({ ...hit, ordinal }) ?? "", query.words),
    urls: { app: anchor ? `${app}#${anchor}` : app },
  }));
  return { id, title, path, sections, urls: { app } };
}

/** A page that was found, with the pages and groups above it, from the top. */
export function pageResultWithAncestors(...given: Parameters<typeof pageResult>) {
  const [, , [, ...above]] = given;
  return { ...pageResult(...given), ancestors: above.reverse().map(({ id, title }) => ({ id, title })) };
}
