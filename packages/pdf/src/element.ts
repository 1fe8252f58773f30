/** What is set in the PDF: words, parts one after the other, an element, or nothing. Words are never read as markup. */
export type Content = string | Element | readonly Content[] | undefined;

/** Where a link leads: an address outside, or a label of the PDF. */
export interface Leads {
  to?: string;
  at?: string;
}

/** An icon: an outline, and the box that it lies in. */
export interface Icon {
  box: string;
  path: string;
}

export type Alignment = "center" | "end";

/** The elements that the typesetter knows, each with what it needs; `typst/` has a function of the same name for each. */
export interface Elements {
  // In a line of text.
  "line-break": object;
  "break-here": object;
  mark: { marks: MarkStyle[]; body: Content };
  link: Leads & { body: Content; kind?: "plain" | "button" | "secondary" };
  icon: Icon;
  note: { body: Content; note: Content };
  tag: { body: Content };
  checkbox: { done: boolean; label: string };
  rating: { count: number; most: number; label: string };
  "small-image": Picture;
  formula: { block: boolean; source: string; body: MathContent };
  // Blocks.
  anchor: { label: string };
  turned: { dir: "rtl" | "ltr"; body: Content };
  paragraph: { align?: Alignment; body: Content };
  heading: {
    level: number;
    depth: number;
    label?: string;
    listed: boolean;
    align?: Alignment;
    body: Content;
  };
  list: { kind: "number" | "bullet"; start: number; items: Content[] };
  tasks: { items: { done: boolean; label: string; body: Content }[] };
  divider: object;
  quote: { body: Content };
  hint: { style: "info" | "success" | "warning" | "danger"; label: string; icon?: Icon; body: Content };
  figure: { align?: "left" | "right"; images: Content[]; caption?: Content };
  image: Picture & { framed?: boolean };
  captioned: { body: Content; caption: Content };
  card: Leads & { title: Content; below?: Content; icon?: Icon; emoji?: string };
  code: {
    title?: string;
    syntax: string;
    source: string;
    lines: Content[];
    numbered: boolean;
    hot: number[];
  };
  colored: { kind: string; body: Content };
  box: { title: Content; icon?: Icon; body: Content };
  tabs: { tabs: { label?: string; title: Content; icon?: Icon; body: Content }[] };
  table: { columns: TableColumn[]; head: boolean; rows: Content[][] };
  cards: { cards: (Leads & { cover?: Content; body: Content[] })[] };
  operation: Leads & { method?: string; path: string };
  steps: { steps: { icon?: Icon; body: Content }[] };
  columns: { columns: { share: number; side: "top" | "middle" | "bottom"; body: Content }[] };
  updates: { updates: { date?: string; tags: string[]; body: Content }[] };
}

export interface Picture {
  /** The name of a file that the typesetter is given. */
  file: string;
  alt: string;
  /** In pixels of a screen; as large as it is, where they are missing. */
  width?: number;
  height?: number;
  /** In percent of the text's width. */
  share?: number;
}

export interface TableColumn {
  title: Content;
  align?: Alignment;
}

export type MarkStyle =
  | "bold"
  | "italic"
  | "strikethrough"
  | "superscript"
  | "subscript"
  | "keyboard"
  | "code"
  | { ink?: string; background?: string };

/** A part of a formula. */
export type MathContent = MathElement | readonly MathContent[];

export interface MathCell {
  side: "left" | "center" | "right";
  body: MathContent;
}

export type MathElement =
  | { m: "signs"; text: string }
  | { m: "upright"; text: string }
  | { m: "operator"; text: string; limits: boolean }
  | { m: "words"; text: string }
  | { m: "fraction"; above: MathContent; below: MathContent; line: boolean }
  | { m: "root"; of: MathContent; index?: MathContent }
  | { m: "scripts"; base: MathContent; top?: MathContent; bottom?: MathContent; limits: boolean }
  | { m: "accent"; base: MathContent; sign: string }
  | { m: "line"; base: MathContent; over: boolean }
  | { m: "fenced"; body: MathContent }
  | { m: "matrix"; rows: MathCell[][]; tight: boolean }
  | { m: "space"; em: number };

export type ElementName = keyof Elements;

export type Element = { [Name in ElementName]: { e: Name } & Elements[Name] }[ElementName];

/** Creates an element. */
export const element = <Name extends ElementName>(e: Name, fields: Elements[Name]): Element =>
  // Cast: TypeScript does not follow that the name and the fields belong together.
  ({ e, ...fields }) as unknown as Element;

/** Whether nothing would be set. */
export const isNothing = (content: Content): boolean =>
  content === undefined ||
  content === "" ||
  (Array.isArray(content) && content.every((one: Content) => isNothing(one)));
