import type { FoundSpace } from "../content/content.js";

type Found = FoundSpace["pages"][number];

/** A space with pages that were found; `root` is where it is published, when it is. */
export const view = ({ id, title, pages }: FoundSpace, root: string | undefined) => ({
  id,
  title,
  pages: pages.map(({ sections, ...page }) => ({
    ...withAddress(page, root),
    ...(sections && { sections: sections.map((section) => withAddress(section, root)) }),
  })),
});

/** What was found with its published address; its path may end with an anchor. */
function withAddress<Item extends Pick<Found, "path" | "urls">>(item: Item, root: string | undefined) {
  const [path = "", anchor] = item.path.split("#");
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const published =
    root === undefined
      ? undefined
      : `${root}${encoded}${anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`}`;
  return { ...item, urls: { ...item.urls, ...(published !== undefined && { published }) } };
}
