import { h } from "preact";
import { emojiOf } from "./emoji.js";
import { icon } from "./icons.js";
import type { Html } from "./scope.js";

/** The emoji or icon of a page, which stands before its title; nothing when it has none. */
export function targetIcon({ emoji, icon: name }: { emoji?: string; icon?: string }): Html {
  const character = emojiOf(emoji);
  if (character === undefined) return icon(name);
  return h("span", { class: "emoji", "aria-hidden": "true" }, character);
}
