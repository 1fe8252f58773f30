import type { Html } from "@octavo/html/scope";
import type { Assets } from "../assets/assets.js";
import { fontSheet, latinFiles } from "../assets/font-files.js";
import { type LettersOfPage, lettersOf } from "../assets/letters.js";
import type { Site } from "../site/site.js";
import { themeOf } from "./theme.js";

/** Loads our style sheets and that of the fonts as one, and the fonts themselves; the colors of the site are in the page. */
export function styles(
  { customization, language }: Site,
  assets: Assets,
  letters: LettersOfPage,
  sheets: string[],
): Html {
  const { font, monospaceFont } = customization.styling;
  const [text, mono] = [font, monospaceFont].map((one) => (typeof one === "string" ? one : ""));
  const fonts = fontSheet(text!, mono!, letters.own);
  const others = letters.others && fontSheet(text!, mono!, "others");
  const files = latinFiles(text!, letters.own);
  return (
    <>
      <link rel="stylesheet" href={assets.styles([...sheets, ...(fonts ? [fonts] : [])])} />
      {others && <link rel="stylesheet" href={assets.url(others)} />}
      {lettersOf(language) && files.own.map((file) => preload(file, assets))}
      {letters.more && files.more.map((file) => preload(file, assets))}
      <style dangerouslySetInnerHTML={{ __html: themeOf(customization).style }} />
    </>
  );
}

/** Texts are shown in a font from the beginning or not at all, so that nothing moves: the sooner it is there, the better. */
const preload = (file: string, assets: Assets) => (
  <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href={assets.url(file)} />
);

/** Our style sheets for the pages of a site. */
export function sheetsOf(site: Site): string[] {
  const { sections, variants, customization } = site;
  const navigates = sections.length > 0 || variants.length > 1 || customization.header.links.length > 0;
  return [
    "site.css",
    ...(navigates ? ["navigation.css"] : []),
    ...(classesOf(site) === undefined ? [] : ["customization.css"]),
  ];
}

/** The classes of the root of a page, for what a site has chosen of its look; undefined when it has chosen nothing. */
export function classesOf({ customization }: Site): string | undefined {
  const { styling, header } = customization;
  const { theme, depth, links, background, sidebar, search } = styling;
  const chosen = [
    theme !== "clean" && `theme-${theme}`,
    background === "match" && "theme-muted",
    styling.tint && "tinted",
    depth === "flat" && "flat",
    links === "accent" && "links-accent",
    sidebar.background === "filled" && "side-filled",
    sidebar.list !== "default" && `side-${sidebar.list}`,
    search === "prominent" && "search-prominent",
    header.preset !== "default" && `header-${header.preset}`,
  ];
  return [...new Set(chosen)].filter(Boolean).join(" ") || undefined;
}

/** Loads style sheets and scripts that only some pages need; the script of diagrams gets the address of their frame. */
export const filesOf = (names: string[], assets: Assets): Html =>
  names.map((name) =>
    name.endsWith(".css") ? (
      <link rel="stylesheet" href={assets.url(name)} />
    ) : (
      <script
        type="module"
        src={assets.url(name)}
        data-frame={name === "diagram.js" ? assets.url("diagram.html") : undefined}
      />
    ),
  );
