import { posix } from "node:path";
import type { Work } from "../work/threads.js";
import { confluenceNavigation } from "./confluence.js";
import type { Archive } from "./material/archive.js";
import {
  LARGEST_FILE,
  LARGEST_TEXT,
  type Material,
  MOST_PAGES,
  type SourceText,
} from "./material/material.js";
import { relativeTo } from "./material/relative.js";
import type { Skipped } from "./material/skipped.js";
import type { Source } from "./material/sources.js";
import { readText } from "./material/texts.js";
import { siteIn } from "./sites/detect.js";
import { siteMaterial } from "./sites/material.js";

const TEXT = /\.(mdx?|markdown|html?)$/i;
/** What an archive has beside its content. */
const BESIDE = /(^|\/)(__MACOSX|node_modules)\/|(^|\/)\.(?!gitbook\/)[^/]*/;
/** What a source ends the names of its files with. */
const ENDS: Partial<Record<Source, RegExp>> = {
  notion: /[ _-][0-9a-f]{32}(?=\.[^./]*$|$)/,
  confluence: /(?<=.)_\d+(?=\.html$)/,
};

interface Opened {
  source: Source;
  work: Work;
  skipped: Skipped;
}

/** The texts and files of an archive of markdown or HTML, as one of the sources makes it; documentation of other tools as these have it. */
export async function archived(archive: Archive, { source, work, skipped }: Opened): Promise<Material> {
  const site = source === "zip" ? await siteIn(archive) : undefined;
  if (site) return siteMaterial(archive, site, { work, skipped });
  const inside = archive.paths.filter((path) => !BESIDE.test(path));
  const top = commonFolder(inside);
  const paths = inside.map((path) => path.slice(top.length));
  const files = new Set(paths);
  const texts: SourceText[] = [];
  let summary: Material["summary"];
  let navigation: Material["navigation"];
  for (const path of paths.filter((path) => TEXT.test(path)).sort()) {
    if (source === "github-wiki" && /^_(sidebar|footer|header)\./i.test(posix.basename(path))) continue;
    if (texts.length === MOST_PAGES) {
      skipped.add("limit", path);
      continue;
    }
    const content = await archive.read(top + path, LARGEST_TEXT);
    if (!content) skipped.add("limit", path);
    else if (source === "confluence" && path === "index.html")
      navigation = await confluenceNavigation(content, { path, files, work, skipped });
    else if (posix.basename(path) === "SUMMARY.md") summary ??= { path, text: content.toString("utf8") };
    else {
      const text = await readText({ path, content, source, work });
      if (text) texts.push(text);
      else skipped.add("unreadable", path);
    }
  }
  const names = namesIn(texts);
  return {
    texts,
    summary,
    navigation,
    nameOf: (path) => names.get(path),
    shown: (path) => shownPath(path, source),
    resolve: (from, address) => {
      const target = relativeTo(from, address);
      const path =
        target &&
        [target.path, `${target.path}.md`, `${target.path}.html`, posix.join(target.path, "README.md")].find(
          (path) => files.has(path),
        );
      return path === undefined ? undefined : { path, anchor: target!.anchor };
    },
    file: (path) => archive.read(top + path, LARGEST_FILE),
  };
}

/** What files are called, by their paths, as the texts beside them say. */
const namesIn = (texts: SourceText[]): Map<string, string> =>
  new Map(
    texts.flatMap(({ path, names = {} }) =>
      Object.entries(names).flatMap(([address, name]): [string, string][] => {
        const target = relativeTo(path, address);
        return target ? [[target.path, name]] : [];
      }),
    ),
  );

/** The path as pages show it: without what a source ends its names with. */
function shownPath(path: string, source: Source): string {
  const end = ENDS[source];
  return end
    ? path
        .split("/")
        .map((part) => part.replace(end, ""))
        .join("/")
    : path;
}

/** The one folder that everything lies in, with its slash; none when there is more than that. */
function commonFolder(paths: string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return top !== "" && paths.every((path) => path.startsWith(top)) ? top : "";
}
