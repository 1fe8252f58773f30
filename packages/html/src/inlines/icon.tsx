import type { Inline } from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";
import { icon } from "../icons.js";
import type { Html } from "../scope.js";

/** An icon in a line of text; nothing when there is none of that name. */
export const iconInline = (node: Inline): Html => icon(textIn(node.data, "icon"));
