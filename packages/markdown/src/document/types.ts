/** The types of blocks that a document holds, in the order in which they are described. */
export const BLOCK_TYPES = [
  ...(["paragraph", "heading-1", "heading-2", "heading-3"] as const),
  ...(["list-ordered", "list-unordered", "list-tasks", "list-item"] as const),
  ...(["divider", "blockquote", "hint", "if"] as const),
  ...(["images", "image", "file", "drawing", "embed"] as const),
  ...(["code", "code-line", "math", "expandable", "tabs", "tabs-item", "table"] as const),
  ...(["swagger", "openapi-operation", "openapi-schemas", "openapi-webhook"] as const),
  ...(["content-ref", "integration", "reusable-content"] as const),
  ...(["stepper", "stepper-step", "columns", "column", "updates", "update", "prompt"] as const),
] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

/** The types of what stands in a line of text besides words. */
export const INLINE_TYPES = [
  ...(["link", "emoji", "icon", "expression", "inline-math"] as const),
  ...(["inline-image", "annotation", "mention", "button"] as const),
] as const;
export type InlineType = (typeof INLINE_TYPES)[number];

/** The types of marks that words carry. */
export const MARK_TYPES = [
  ...(["bold", "italic", "code", "keyboard"] as const),
  ...(["strikethrough", "color", "superscript", "subscript"] as const),
] as const;
export type MarkType = (typeof MARK_TYPES)[number];
