import { fileView, pageView } from "../../pages/view.js";
import type { Entry, FileEntry, PageEntry, ReusableContentEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { fileAttributes, reusableAttributes } from "./attributes.js";
import type { Change } from "./changes.js";
import type { ChangedPage, SemanticChange } from "./schema.js";

/** What the entries of one side look like: pages with the pages above them, and where files can be fetched. */
export interface Around {
  before: Map<string, Entry>;
  after: Map<string, Entry>;
  download: (file: FileEntry) => string;
}

/** A change as clients see it. */
export function changeView(ctx: Pick<Ctx, "urls">, change: Change, around: Around): SemanticChange {
  const page = (entry: PageEntry, side: Map<string, Entry>) => pageSummary(ctx, entry, side);
  const file = (entry: FileEntry) => {
    const { id, name, contentType, downloadURL } = fileView(entry, false, around.download);
    return { id, name, contentType, downloadURL };
  };
  const { type } = change;
  switch (type) {
    case "page_created":
      return { type, page: page(change.entry, around.after) };
    case "page_deleted":
      return { type, page: page(change.entry, around.before) };
    case "page_edited":
      return { type, page: page(change.after, around.after), attributes: change.attributes };
    case "page_moved": {
      const parent = {
        before: above(change.before, around.before),
        after: above(change.after, around.after),
      };
      return {
        type,
        page: page(change.after, around.after),
        parent: {
          before: parent.before && page(parent.before, around.before),
          after: parent.after && page(parent.after, around.after),
        },
      };
    }
    case "file_created":
    case "file_deleted":
      return { type, file: file(change.entry) };
    case "file_edited": {
      const attributes = fileAttributes(change.before, change.after, around.download);
      return { type, file: file(change.after), attributes };
    }
    case "reusable_content_created":
    case "reusable_content_deleted":
      return { type, reusableContent: reusableSummary(change.entry) };
    case "reusable_content_edited": {
      const attributes = reusableAttributes(change.before, change.after);
      return { type, reusableContent: reusableSummary(change.after), attributes };
    }
    case "variables_edited":
      return change as SemanticChange;
  }
}

/** A page in a few words; `side` holds the pages above it. */
function pageSummary({ urls }: Pick<Ctx, "urls">, entry: PageEntry, side: Map<string, Entry>): ChangedPage {
  const line = [entry];
  for (let parent = above(entry, side); parent && !line.includes(parent); parent = above(parent, side))
    line.push(parent);
  const page = pageView(line, { urls, space: "", metadata: false });
  const { type } = entry.props;
  return { id: entry.id, type, title: entry.title, path: "path" in page ? page.path : undefined };
}

function above({ parent }: PageEntry, side: Map<string, Entry>): PageEntry | undefined {
  const page = parent === null ? undefined : side.get(parent);
  return page?.kind === "page" ? page : undefined;
}

const reusableSummary = ({ id, title, body }: ReusableContentEntry) => ({
  id,
  title,
  document: body ?? undefined,
});
