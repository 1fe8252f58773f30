import type { spaceFrom } from "./space.js";

type Shape = Parameters<typeof spaceFrom>[1]["pages"][number];

const layout = {
  ...({ width: "default", coverSize: "hero" } as const),
  ...{ cover: true, title: true, description: true, tableOfContents: true, outline: true },
  ...{ pagination: true, metadata: true },
};

/** A page as content lists it. */
export const page = (path: string, title: string, pages: Shape[] = []) => {
  const slug = path.split("/").at(-1)!;
  const urls = { app: "http://octavo.test/app" };
  return {
    id: path,
    type: "document" as const,
    kind: "sheet" as const,
    title,
    slug,
    path,
    urls,
    layout,
    pages,
  };
};

/** A group of pages as content lists it. */
export const group = (path: string, title: string, pages: Shape[]) => ({
  ...{ id: path, title, slug: path, path, pages },
  ...({ type: "group", kind: "group" } as const),
});
