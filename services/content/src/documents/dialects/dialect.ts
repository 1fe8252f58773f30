import { editField, readFrontmatter } from "@octavo/markdown/yaml/frontmatter";
import { outdentBlocks } from "./indented.js";
import { readParts, type Syntax } from "./parts.js";
import { type Rendering, renderParts } from "./render.js";
import { homeOf } from "./vitepress-home.js";

/** The tools whose markdown is read as theirs. */
export const DIALECTS = ["docusaurus", "mkdocs", "vitepress", "mintlify"] as const;
export type Dialect = (typeof DIALECTS)[number];

const COMPONENTS = new Set(
  (
    "Tabs TabItem Tab Admonition CodeBlock DocCardList Head Note Info Tip Warning Check Danger Error Callout Steps Step " +
    "Accordion AccordionGroup Expandable Card CardGroup Cards Columns Column CodeGroup Frame ParamField ResponseField " +
    "Param RequestExample ResponseExample Update Snippet Details"
  ).split(" "),
);
const NONE = new Set<string>();

const READ: Record<Dialect, Syntax & Rendering> = {
  docusaurus: { components: true, elements: COMPONENTS, containers: 3, modules: true, bareTitles: false },
  mintlify: {
    components: true,
    elements: COMPONENTS,
    containers: undefined,
    modules: true,
    bareTitles: true,
  },
  vitepress: { components: true, elements: NONE, containers: 3, modules: false, bareTitles: false },
  mkdocs: { components: false, elements: NONE, containers: 4, modules: false, bareTitles: false },
};

/** Frontmatter that means something else with us, or is of no use. */
const DROPPED = [
  "id",
  "layout",
  "hero",
  "features",
  "if",
  "vars",
  "sidebar_label",
  "sidebarTitle",
  "sidebar_position",
];

/**
 * The text of a page of another tool as ours: its blocks (admonitions, tabs, cards, steps, titles of code) become ours,
 * its frontmatter says what ours would. What has no counterpart stays as it is written. Pure; linear in the text.
 */
export function convertDialect({ markdown, dialect }: { markdown: string; dialect: Dialect }): string {
  const text = markdown.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const { range, doc, fields } = readFrontmatter(text);
  const [front, body] = range && doc ? [text.slice(0, range.after), text.slice(range.after)] : ["", text];
  const home = dialect === "vitepress" ? homeOf(fields) : [];
  const lines = body.split("\n");
  const parts = readParts(dialect === "mkdocs" ? outdentBlocks(lines) : lines, READ[dialect]);
  const written = [...home, ...renderParts(parts, READ[dialect])].join("\n");
  return front === "" ? written.replace(/^\n+/, "") : withFields(front, fields) + written;
}

function withFields(front: string, fields: Record<string, unknown>): string {
  const label = fields.sidebar_label ?? fields.sidebarTitle;
  let text = front;
  for (const key of DROPPED) if (key in fields) text = editField(text, { path: [key], value: undefined });
  if (typeof label === "string" && label !== fields.title)
    text = editField(text, { path: ["linkTitle"], value: label.slice(0, 200) });
  if (typeof fields.slug === "string") {
    const slug = fields.slug.split("/").filter(Boolean).at(-1);
    text = editField(text, { path: ["slug"], value: slug });
  }
  return text;
}
