import { iso } from "../../pages/view.js";
import type { FileEntry, PageEntry } from "../../store/version.js";
import type { ShownEntry } from "./schema.js";

/**
 * A page, group or link as far as it is shown around other pages; `above` is the path of what it lies below, and `length`
 * how long it takes to draw it.
 */
export function entryView(
  { id, title, slug, props, ...times }: PageEntry,
  above: string,
  length: number,
): ShownEntry {
  const { type, emoji, icon } = props;
  const updatedAt = iso(times.updated_at ?? times.created_at);
  if (type === "computed") return { id, type, title, emoji, icon, updatedAt };
  const { hidden } = props;
  if (type === "link") return { id, type, title, emoji, icon, updatedAt, target: props.target, hidden };
  const path = above ? `${above}/${slug}` : slug!;
  const { noIndex, noRobotsIndex } = props;
  const description = type === "document" ? props.description : undefined;
  return {
    id,
    type,
    title,
    emoji,
    icon,
    description,
    path,
    hidden,
    noIndex,
    noRobotsIndex,
    updatedAt,
    length,
    pages: [],
  };
}

/** A file as far as pages show it. */
export const shownFileView = ({ id, title, body, props: { size, dimensions } }: FileEntry) => ({
  id,
  name: title,
  hash: body,
  size,
  dimensions,
});
