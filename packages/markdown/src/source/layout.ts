import type { FieldEdit } from "../yaml/frontmatter.js";
import { isRecord } from "../yaml/record.js";

/** The page layout of the API, only what the frontmatter sets. */
export interface PageLayout {
  width?: "default" | "wide";
  cover?: boolean;
  coverSize?: "hero" | "full" | "background";
  title?: boolean;
  description?: boolean;
  tableOfContents?: boolean;
  outline?: boolean;
  pagination?: boolean;
  metadata?: boolean;
}

const PARTS = [
  "cover",
  "title",
  "description",
  "tableOfContents",
  "outline",
  "pagination",
  "metadata",
] as const;
const WIDTHS = ["default", "wide"] as const;
const SIZES = ["hero", "full", "background"] as const;

/** Reads the frontmatter's `layout`; what cannot be used is reported to `problem`. */
export function readLayout(value: unknown, problem: (message: string) => void): PageLayout | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    problem("layout must be a list of fields");
    return undefined;
  }
  const layout: PageLayout = {};
  const width = oneOf(WIDTHS, value.width, "layout.width", problem);
  if (width) layout.width = width;
  for (const part of PARTS) {
    const field = value[part];
    if (field === undefined || field === null) continue;
    const visible = isRecord(field) ? field.visible : field;
    if (typeof visible === "boolean") layout[part] = visible;
    else if (visible !== undefined) problem(`layout.${part}.visible must be true or false`);
  }
  const size = isRecord(value.cover)
    ? oneOf(SIZES, value.cover.size, "layout.cover.size", problem)
    : undefined;
  if (size) layout.coverSize = size;
  return Object.keys(layout).length > 0 ? layout : undefined;
}

/** The frontmatter fields that say this layout. */
export function layoutEdits(layout: PageLayout | null): FieldEdit[] {
  if (layout === null) return [{ path: ["layout"], value: undefined }];
  const edits: FieldEdit[] = [];
  if (layout.width !== undefined) edits.push({ path: ["layout", "width"], value: layout.width });
  for (const part of PARTS) {
    if (layout[part] !== undefined) edits.push({ path: ["layout", part, "visible"], value: layout[part] });
  }
  if (layout.coverSize !== undefined)
    edits.push({ path: ["layout", "cover", "size"], value: layout.coverSize });
  return edits;
}

function oneOf<Value extends string>(
  allowed: readonly Value[],
  value: unknown,
  name: string,
  problem: (message: string) => void,
): Value | undefined {
  if (value === undefined || value === null) return undefined;
  const found = allowed.find((one) => one === value);
  if (!found) problem(`${name} must be ${allowed.join(" or ")}`);
  return found;
}
