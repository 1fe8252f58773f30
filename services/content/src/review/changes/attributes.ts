import { pageView } from "../../pages/view.js";
import { equal } from "../../store/merge-entry.js";
import type { FileEntry, PageEntry, ReusableContentEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { PageAttributes } from "./schema.js";

/** What a page of each type has that can be edited; of a page that changed its type, what it has now. */
const OF_PAGE = {
  document: [
    "title",
    "description",
    "slug",
    "document",
    "cover",
    "emoji",
    "icon",
    "layout",
    "variables",
    "hidden",
    "noIndex",
    "noRobotsIndex",
    "condition",
  ],
  group: ["title", "emoji", "icon", "slug", "hidden", "noIndex", "noRobotsIndex"],
  link: ["title", "emoji", "icon", "target", "hidden"],
  computed: ["title", "emoji", "icon"],
};
const OF_FILE = ["name", "downloadURL", "size", "contentType", "dimensions"];

/** The attributes of a page that an edit changed, each as it was and as it is. */
export function pageAttributes(
  { urls }: Pick<Ctx, "urls">,
  before: PageEntry,
  after: PageEntry,
): PageAttributes {
  const shown = (entry: PageEntry) => {
    const { condition } = entry.props;
    const page = pageView([entry], { urls, space: "", metadata: false });
    return { ...page, condition, document: "documentId" in page ? page.documentId : undefined };
  };
  return changed(OF_PAGE[after.props.type], shown(before), shown(after)) as PageAttributes;
}

/** The attributes of a file that an edit changed; `download` makes the address of a content. */
export function fileAttributes(before: FileEntry, after: FileEntry, download: (file: FileEntry) => string) {
  const shown = (entry: FileEntry) => ({
    ...entry.props,
    name: entry.title,
    downloadURL: download(entry),
  });
  return changed(OF_FILE, shown(before), shown(after));
}

/** The attributes of a reusable content that an edit changed. */
export function reusableAttributes(before: ReusableContentEntry, after: ReusableContentEntry) {
  const shown = ({ title, body }: ReusableContentEntry) => ({ title, document: body ?? undefined });
  return changed(["title", "document"], shown(before), shown(after));
}

function changed(names: string[], before: object, after: object) {
  const was = before as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  return Object.fromEntries(
    names
      .filter((name) => !equal(was[name], is[name]))
      .map((name) => [name, { before: was[name], after: is[name] }]),
  );
}
