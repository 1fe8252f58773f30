import { textIn } from "@octavo/html/data";
import type { Block } from "@octavo/markdown/document/nodes";
import type { BlockType } from "@octavo/markdown/document/types";
import type { Content } from "../element.js";
import { formula } from "../math/formula.js";
import type { DrawBlock, Scope } from "../scope.js";
import { code, codeLine } from "./code.js";
import { contentRef, drawing, embed, file, image, images } from "./media.js";
import {
  columns,
  expandable,
  integration,
  operation,
  part,
  prompt,
  reusableContent,
  stepper,
  tabs,
  updates,
} from "./parts.js";
import { table } from "./table.js";
import { blockquote, condition, divider, heading, hint, list, listItem, paragraph, tasks } from "./text.js";

/** Every block of the schema, and what draws it: the compiler names one that is missing. */
export const BLOCKS: Record<BlockType, DrawBlock> = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list("number"),
  "list-unordered": list("bullet"),
  "list-tasks": tasks,
  "list-item": listItem,
  divider,
  blockquote,
  hint,
  if: condition,
  images,
  image: (block, scope) => image(block, scope),
  file,
  drawing,
  embed,
  code,
  "code-line": codeLine,
  math: ({ data }, scope) => formula(textIn(data, "formula") ?? "", true, scope),
  expandable,
  tabs,
  "tabs-item": part,
  table,
  swagger: operation,
  "openapi-operation": operation,
  "openapi-schemas": operation,
  "openapi-webhook": operation,
  "content-ref": contentRef,
  integration,
  "reusable-content": reusableContent,
  stepper,
  "stepper-step": part,
  columns,
  column: part,
  updates,
  update: part,
  prompt,
};

/** Draws a block; nothing for a type that the schema does not have. */
export const drawBlock = (block: Block, scope: Scope): Content =>
  Object.hasOwn(BLOCKS, block.type) ? BLOCKS[block.type as BlockType](block, scope) : undefined;
