import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { parseSummary, type SummaryGroup, type SummaryItem } from "@octavo/markdown/navigation/summary";
import { found } from "@octavo/shared/errors";

export interface Template {
  id: string;
  title: string;
  subtitle: string;
  emoji: string;
}

/** A page of a template, with those below it. */
export interface TemplatePage {
  slug: string;
  markdown: string;
  pages: TemplatePage[];
}

/** The templates that there are; the pages of each are a folder of markdown with a table of contents. */
export const TEMPLATES: Template[] = [
  { id: "blank", title: "Blank", subtitle: "One page to begin with", emoji: "1f4c4" },
  {
    id: "product-docs",
    title: "Product documentation",
    subtitle: "Introduction, first steps, concepts, guides and troubleshooting of a product",
    emoji: "1f4d8",
  },
  {
    id: "api-reference",
    title: "API reference",
    subtitle: "Authentication, conventions, resources and webhooks of an API",
    emoji: "1f50c",
  },
  {
    id: "handbook",
    title: "Handbook",
    subtitle: "How a team works, decides, and takes in new people",
    emoji: "1f9ed",
  },
  {
    id: "changelog",
    title: "Changelog",
    subtitle: "What is new, what comes next, and earlier versions",
    emoji: "1f4e3",
  },
];

/** Beside the sources as well as beside what is built of them. */
const HOME = new URL("../../templates/", import.meta.url);

/** Returns the template with an id; 404 when there is none. */
export const templateBy = (id: string): Template =>
  found(
    TEMPLATES.find((template) => template.id === id),
    "Template",
  );

/** Reads the pages of a template, as its table of contents orders and nests them. */
export async function pagesOf({ id }: Template): Promise<TemplatePage[]> {
  const read = (file: string) => readFile(new URL(`${id}/${file}`, HOME), "utf8");
  const pageOf = async (item: SummaryGroup | SummaryItem): Promise<TemplatePage> => {
    if (item.kind !== "page" || item.file === undefined)
      throw new Error(`The template ${id} has more than pages in its table of contents`);
    const pages = await Promise.all(item.children.map(pageOf));
    return { slug: posix.basename(item.file, ".md"), markdown: await read(item.file), pages };
  };
  const { nodes } = parseSummary(await read("SUMMARY.md"));
  return Promise.all(nodes.map(pageOf));
}
