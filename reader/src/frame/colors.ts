export type Color = [number, number, number];

/** The contrast that text needs (WCAG 2.2 AA). */
const ENOUGH = 4.5;

const [BLACK, WHITE]: [Color, Color] = [
  [0, 0, 0],
  [255, 255, 255],
];

/**
 * The color from `text` on toward black or white, whichever contrasts more with `paper`, that is readable on it first, also
 * where so much of itself is mixed into the paper.
 */
export function readable(text: string, paper: Color, { enough = ENOUGH, share = 0 } = {}): Color {
  const color = parsed(text);
  const toward = contrast(BLACK, paper) > contrast(WHITE, paper) ? BLACK : WHITE;
  for (let step = 0; step <= 20; step += 1) {
    const tried = mixed(toward, step / 20, color);
    if (contrast(tried, mixed(tried, share, paper)) >= enough) return tried;
  }
  return toward;
}

/** A color with so much of another in it, as `color-mix(in srgb, …)` does it. */
export const mixed = (other: Color, share: number, color: Color): Color =>
  color.map((part, at) => Math.round(part + (other[at]! - part) * share)) as Color;

/** White, or a color near black, whichever can be read on a color. */
export const inkOn = (color: Color): string =>
  contrast(color, WHITE) >= ENOUGH ? "#fff" : hex(readable("#0b1220", color));

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

/** The color that `#36d` or `#3366dd` names; the standard blue for anything else. */
export function parsed(text: string): Color {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text);
  const long = short ? short.slice(1).map((digit) => digit + digit) : /^#(..)(..)(..)$/.exec(text)?.slice(1);
  const color = long?.map((part) => Number.parseInt(part, 16)) as Color | undefined;
  return color?.every(Number.isInteger) ? color : [52, 109, 219];
}

/** A color for light pages and one for dark ones, as style sheets choose between them. */
export const pair = (light: Color, dark: Color): string => `light-dark(${hex(light)},${hex(dark)})`;

const hex = (color: Color): string => `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
