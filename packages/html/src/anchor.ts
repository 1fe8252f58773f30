import type { Block } from "@octavo/markdown/document/nodes";

/** The anchor that reading has given a heading, a tab or an expandable; undefined without one. */
export function anchorOf({ meta }: Block): string | undefined {
  const id = meta?.id;
  return typeof id === "string" && id !== "" && id.length <= 300 && !/[\s~]/.test(id) ? id : undefined;
}
