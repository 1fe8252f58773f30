import type { Block } from "@octavo/markdown/document/nodes";
import type { BlockType } from "@octavo/markdown/document/types";
import type { DrawBlock, Html, Scope } from "../scope.js";
import { blockquote, condition, divider, hint } from "./asides.js";
import { code, codeLine } from "./code.js";
import { column, columns } from "./columns.js";
import { contentRef } from "./content-ref.js";
import { embed } from "./embed.js";
import { expandable } from "./expandable.js";
import { file } from "./file.js";
import { heading } from "./heading.js";
import { drawing, image, images } from "./images.js";
import { integration } from "./integration.js";
import { listItem, orderedList, tasks, unorderedList } from "./lists.js";
import { math } from "./math.js";
import { operation, schemas, webhook } from "./openapi.js";
import { paragraph } from "./paragraph.js";
import { prompt } from "./prompt.js";
import { reusableContent } from "./reusable-content.js";
import { step, stepper } from "./stepper.js";
import { table } from "./table.js";
import { tab, tabs } from "./tabs.js";
import { update, updates } from "./updates.js";

/** Every block of the schema, and what draws it: the compiler names one that is missing. */
export const BLOCKS: Record<BlockType, DrawBlock> = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": orderedList,
  "list-unordered": unorderedList,
  "list-tasks": tasks,
  "list-item": listItem,
  divider,
  blockquote,
  hint,
  if: condition,
  images,
  image,
  file,
  drawing,
  embed,
  code,
  "code-line": codeLine,
  math,
  expandable,
  tabs,
  "tabs-item": tab,
  table,
  swagger: operation,
  "openapi-operation": operation,
  "openapi-schemas": schemas,
  "openapi-webhook": webhook,
  "content-ref": contentRef,
  integration,
  "reusable-content": reusableContent,
  stepper,
  "stepper-step": step,
  columns,
  column,
  updates,
  update,
  prompt,
};

/** Draws a block; nothing for a type that the schema does not have. */
export const drawBlock = (block: Block, scope: Scope): Html =>
  Object.hasOwn(BLOCKS, block.type) ? BLOCKS[block.type as BlockType](block, scope) : undefined;
