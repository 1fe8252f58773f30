import { createHash } from "node:crypto";
import { familyOf } from "../assets/font-files.js";
import type { Customization } from "../site/site.js";
import { type Color, inkOn, mixed, pair, parsed, readable } from "./colors.js";

/** Runs before the first paint; its hash stands in the policy, so nothing else that is inline does. */
export const THEME_SCRIPT =
  'try{const d=document.documentElement.dataset,t=localStorage.getItem("octavo-theme");if(t&&!d.only)d.theme=t}catch{}';

/**
 * Runs behind the sidebar, before it is painted: it is where readers left it, also where other parts of it are open now, with
 * the entry that they chose where they chose it. Its first link names the space. Not by `scrollIntoView`, after which the
 * first Tab would lead from there on. Where the sidebar is hidden until it is opened, which
 * is up to 52 rem as in the style sheet, the page is not laid out for it.
 */
export const SIDE_SCRIPT =
  'if(matchMedia("(min-width:52.001rem)").matches){const s=document.getElementById("~side"),c=s.querySelector("[aria-current]");try{const[k,t,h,y]=JSON.parse(sessionStorage.getItem("octavo-side"));if(k===s.querySelector("a").href)s.scrollTop=t;if(c.href===h)s.scrollTop+=c.getBoundingClientRect().top-y}catch{}if(c){const a=c.getBoundingClientRect(),b=s.getBoundingClientRect();if(a.top<b.top-9||a.bottom>b.bottom+9)s.scrollTop+=a.top-(b.top+b.bottom)/2}}';

/** The source of an inline script or style as a content security policy names it. */
export const sourceHash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const CORNERS = { straight: "0", rounded: "0.5rem", circular: "0.9rem" };

/** On dark pages colors that are merely enough look dull. */
const COMFORTABLE = 6.5;

interface Paper {
  light: Color;
  dark: Color;
}
const PAPER: Paper = { light: [255, 255, 255], dark: [17, 19, 24] };
const MUTED: Paper = { light: [247, 248, 250], dark: [15, 17, 21] };
/** How much of a tint is in the paper. */
const TINT = { light: 0.02, dark: 0.05 };
/** How much of the primary color is in the paper where a gradient begins. */
const GRADIENT = 0.12;

/** What was made of looks, and is gone with them. */
const made = new WeakMap<Customization, { style: string; hash: string }>();

/**
 * The colors, corners and fonts of a site, and the hash of them. Colors that could not be read are darkened or lightened
 * until they can be; those of notes that nobody chose are ours.
 */
export function themeOf(customization: Customization): { style: string; hash: string } {
  const known = made.get(customization);
  if (known) return known;
  const style = styleOf(customization);
  const theme = { style, hash: sourceHash(style) };
  made.set(customization, theme);
  return theme;
}

function styleOf({ styling, header }: Customization): string {
  const { primaryColor, corners, tint, font, monospaceFont } = styling;
  const paper = paperOf(styling);
  const share = styling.theme === "gradient" ? GRADIENT : 0;
  const light = readable(primaryColor.light, paper.light, { share });
  const dark = readable(primaryColor.dark, paper.dark, { enough: COMFORTABLE, share });
  const top = { light: mixed(light, share, paper.light), dark: mixed(dark, share, paper.dark) };
  const radius = CORNERS[corners as keyof typeof CORNERS] ?? CORNERS.rounded;
  const set: Record<string, string | undefined> = {
    "--paper": pair(paper.light, paper.dark),
    "--paper-top": share > 0 ? pair(top.light, top.dark) : undefined,
    "--primary": pair(light, dark),
    "--on-primary": `light-dark(${inkOn(light)},${inkOn(dark)})`,
    "--radius": radius,
    "--font": familyIn(font, "var(--system)"),
    "--mono": familyIn(monospaceFont, "var(--system-mono)"),
    "--tint": tint && pair(parsed(tint.color.light), parsed(tint.color.dark)),
  };
  for (const kind of ["info", "success", "warning", "danger"] as const) {
    const chosen = styling[`${kind}Color`];
    if (chosen.light.toLowerCase() === UNCHOSEN[kind]) continue;
    set[`--${kind}`] = pair(readable(chosen.light, top.light), readable(chosen.dark, top.dark));
    set[`--${kind}-wash`] = pair(parsed(chosen.light), parsed(chosen.dark));
  }
  if (header.preset === "custom" && header.backgroundColor) {
    const { light, dark } = header.backgroundColor;
    const [day, night] = [parsed(light), parsed(dark)];
    const ink = header.linkColor ?? { light: "#1c2026", dark: "#e5e7eb" };
    set["--header-paper"] = pair(day, night);
    set["--header-ink"] = pair(readable(ink.light, day), readable(ink.dark, night));
  }
  const rules = Object.entries(set).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:${value}`],
  );
  return `${[font, monospaceFont].map(facesOf).join("")}:root{${rules.join(";")}}`;
}

/** What the pages of a theme are written on. */
function paperOf({ theme, background, tint }: Customization["styling"]): Paper {
  const { light, dark } = theme === "muted" || background === "match" ? MUTED : PAPER;
  if (!tint) return { light, dark };
  return {
    light: mixed(parsed(tint.color.light), TINT.light, light),
    dark: mixed(parsed(tint.color.dark), TINT.dark, dark),
  };
}

/** What notes are colored by where nobody chose anything. */
const UNCHOSEN = { info: "#787878", success: "#00c950", warning: "#fe9a00", danger: "#fb2c36" };

type AnyFont = Customization["styling"]["font"] | Customization["styling"]["monospaceFont"];

const quoted = (text: string): string => `"${text.replace(/["\\\n\r<>]/g, "")}"`;

function familyIn(font: AnyFont, others: string): string | undefined {
  const family = typeof font === "string" ? familyOf(font) : font.fontFamily;
  return family === undefined ? undefined : `${quoted(family)},${others}`;
}

/** The faces of a font that an organization has defined: its files lie where it says. */
function facesOf(font: AnyFont): string {
  if (typeof font === "string") return "";
  return font.fontFaces
    .map(({ weight, sources }) => {
      const src = sources.map(({ url, format }) => {
        const { href } = new URL(url);
        return `url(${quoted(href)})${format ? ` format("${format}")` : ""}`;
      });
      return `@font-face{font-family:${quoted(font.fontFamily)};font-weight:${weight};font-display:optional;src:${src.join(",")}}`;
    })
    .join("");
}

/** The addresses of the files of fonts that an organization has defined. */
export const fontFiles = ({ styling }: Customization): string[] =>
  [styling.font, styling.monospaceFont].flatMap((font) =>
    typeof font === "string" ? [] : font.fontFaces.flatMap(({ sources }) => sources.map(({ url }) => url)),
  );
