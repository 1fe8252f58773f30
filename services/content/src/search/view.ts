import type { Urls } from "@octavo/shared/urls";
import { type LineEntry, pathOf } from "../store/entries.js";
import type { Hit } from "./find.js";

/** A page that was found, with the sections below its title that were; `excerpt` shortens a text. */
export function pageResult(
  urls: Urls,
  space: string,
  line: LineEntry[],
  hits: Hit[],
  excerpt: (text: string) => string,
) {
  const { id, title } = line[0]!;
  const path = pathOf(line);
  const app = urls.app`/s/${space}/${id}`;
  const sections = hits.map((hit) => ({
    id: hit.anchor ?? id,
    title: hit.title,
    path: hit.anchor ? `${path}#${hit.anchor}` : path,
    body: excerpt(hit.body),
    urls: { app: hit.anchor ? `${app}#${hit.anchor}` : app },
  }));
  return { id, title, path, sections, urls: { app } };
}
