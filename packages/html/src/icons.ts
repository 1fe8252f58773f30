import { fab } from "@fortawesome/free-brands-svg-icons";
import { far } from "@fortawesome/free-regular-svg-icons";
import { fas } from "@fortawesome/free-solid-svg-icons";
import { h } from "preact";
import type { Html } from "./scope.js";

type Definition = (typeof fas)[string];

/** The icons by all their names; the filled form of one before its outlined form. */
const icons = new Map<string, Definition>();
for (const pack of [far, fab, fas])
  for (const one of Object.values(pack)) {
    icons.set(one.iconName, one);
    for (const alias of one.icon[2]) if (typeof alias === "string") icons.set(alias, one);
  }

/** The outline of an icon, and the box that it lies in. */
export interface Outline {
  box: string;
  path: string;
}

/** Finds the outline of an icon of Font Awesome by its name; undefined when there is no such icon. */
export function outlineOfIcon(name: string | undefined): Outline | undefined {
  const found = name === undefined ? undefined : icons.get(name.replace(/^fa-/, ""));
  if (!found) return undefined;
  const [width, height, , , path] = found.icon;
  return { box: `0 0 ${width} ${height}`, path: typeof path === "string" ? path : path.join("") };
}

/** Draws an icon of Font Awesome by its name; nothing when there is no such icon. */
export function icon(name: string | undefined, className = "icon"): Html {
  const found = outlineOfIcon(name);
  if (!found) return undefined;
  const { box, path } = found;
  return h("svg", { class: className, viewBox: box, "aria-hidden": "true" }, h("path", { d: path }));
}
