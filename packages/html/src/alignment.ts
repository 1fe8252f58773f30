import type { Data } from "@octavo/markdown/document/nodes";
import { oneOf } from "./data.js";

/** The class of what is not aligned as text is. */
export function alignment(data: Data | undefined): string | undefined {
  const align = oneOf(["center", "end", "right"] as const, data?.align);
  return align && (align === "center" ? "center" : "end");
}
