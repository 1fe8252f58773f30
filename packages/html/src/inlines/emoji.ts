import type { Inline } from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";
import { emojiOf } from "../emoji.js";
import type { Html } from "../scope.js";

/** The character of an emoji, by its code points. */
export const emoji = (node: Inline): Html => emojiOf(textIn(node.data, "code"));
