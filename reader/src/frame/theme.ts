import { createHash } from "node:crypto";
import type { Look } from "../site.js";

/** Runs before the first paint; its hash stands in the policy, so nothing else that is inline does. */
export const THEME_SCRIPT =
  'try{const t=localStorage.getItem("octavo-theme");if(t)document.documentElement.dataset.theme=t}catch{}';

/** The source of an inline script or style as a content security policy names it. */
export const sourceHash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const CORNERS = { straight: "0", rounded: "0.5rem", circular: "0.9rem" };

/** The colors and corners of a site; colors that could not be read are darkened or lightened until they can be. */
export function themeStyle({ styling }: Look): string {
  const { primaryColor, corners } = styling;
  const light = readable(primaryColor.light, [255, 255, 255]);
  const dark = readable(primaryColor.dark, [17, 19, 24], COMFORTABLE);
  const radius = CORNERS[corners as keyof typeof CORNERS] ?? CORNERS.rounded;
  return (
    `:root{--primary:light-dark(${hex(light)},${hex(dark)});` +
    `--on-primary:light-dark(${inkOn(light)},${inkOn(dark)});--radius:${radius}}`
  );
}

type Color = [number, number, number];

/** The contrast that text needs (WCAG 2.2 AA). */
const ENOUGH = 4.5;
/** On dark pages colors that are merely enough look dull. */
const COMFORTABLE = 6.5;

/** The nearest color to `text` that is readable on a page of the color `paper`. */
export function readable(text: string, paper: Color, enough = ENOUGH): Color {
  const color = parsed(text);
  const toward: number = luminance(paper) > 0.5 ? 0 : 255;
  for (let step = 0; step <= 20; step += 1) {
    const mixed = color.map((part) => Math.round(part + ((toward - part) * step) / 20)) as Color;
    if (contrast(mixed, paper) >= enough) return mixed;
  }
  return [toward, toward, toward];
}

const inkOn = (color: Color): string => (contrast(color, [255, 255, 255]) >= ENOUGH ? "#fff" : "#0b1220");

/** The contrast of two colors, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `#36d` and `#3366dd`; the standard blue for anything else. */
function parsed(text: string): Color {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text);
  const long = short ? short.slice(1).map((digit) => digit + digit) : /^#(..)(..)(..)$/.exec(text)?.slice(1);
  const color = long?.map((part) => Number.parseInt(part, 16)) as Color | undefined;
  return color?.every(Number.isInteger) ? color : [52, 109, 219];
}

const hex = (color: Color): string => `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
