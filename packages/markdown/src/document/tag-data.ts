import type { Data } from "./nodes.js";
import { lengthText } from "./tag-blocks.js";

/** The tags of blocks that hold blocks, by the type of the block. */
export const TAG_OF: Record<string, string> = {
  hint: "hint",
  tabs: "tabs",
  "tabs-item": "tab",
  stepper: "stepper",
  "stepper-step": "step",
  columns: "columns",
  column: "column",
  updates: "updates",
  update: "update",
  prompt: "prompt",
};

const column = ({ width, verticalAlignment, ...rest }: Data): Data => ({
  width: lengthText(width),
  valign: verticalAlignment,
  ...rest,
});

const update = ({ date, tags, ...rest }: Data): Data => ({
  date,
  tags: Array.isArray(tags) && tags.length > 0 ? tags.map((ref) => (ref as Data).tag).join(",") : undefined,
  ...rest,
});

/** Attributes that are written in another way than the data has them. */
const ATTRIBUTES: Record<string, (data: Data) => Data> = { column, update };

/** The attributes of such a tag; `html` is how the block is written, and is no attribute. */
export function tagAttributes(type: string, { html: _, ...data }: Data): Data {
  return ATTRIBUTES[type]?.(data) ?? data;
}
