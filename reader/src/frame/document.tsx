import { renderHtml } from "@octavo/html/render";
import { hasMore } from "../assets/font-parts.js";
import type { Site } from "../site/site.js";
import { isRightToLeft } from "../words/index.js";
import { announcement, footer, header, menuLinks } from "./around.js";
import type { Frame } from "./frame.js";
import { accents, head } from "./head.js";
import { SIDE_SCRIPT } from "./theme.js";

/** The HTML of a whole page. */
export function htmlOf(frame: Frame): string {
  const { site, assets, sidebar, outline, body, wide, atOnce } = frame;
  const { words, language, customization } = site;
  const layout = ["layout", !sidebar && "bare", wide && "wide"].filter(Boolean).join(" ");
  const { default: theme, toggeable } = customization.themes;
  const menu = menuLinks(frame);
  const page = (
    <html
      lang={language}
      dir={isRightToLeft(language) ? "rtl" : undefined}
      class={classesOf(site)}
      data-theme={!toggeable || theme === "dark" ? theme : undefined}
      data-only={toggeable ? undefined : theme}
      data-copy={words.document.copy}
      data-copied={words.document.copied}
      data-failed={words.failed}
    >
      {head(frame)}
      <body>
        <a class="skip" href="#~main">
          {words.skip}
        </a>
        {announcement(frame)}
        {header(frame)}
        <div class={layout}>
          {(sidebar || menu) && [
            <nav class="side" id="~side" popover="auto" aria-label={words.menu}>
              {sidebar}
              {menu}
            </nav>,
            <script dangerouslySetInnerHTML={{ __html: SIDE_SCRIPT }} />,
          ]}
          <main class="page" id="~main">
            {outline && (
              <button type="button" class="toc" popovertarget="~beside">
                {words.outline}
              </button>
            )}
            {body}
            {atOnce && <i id="~end" hidden />}
          </main>
          {outline && (
            <aside class="outline" id="~beside" popover="auto">
              {outline}
            </aside>
          )}
        </div>
        {footer(frame)}
      </body>
    </html>
  );
  const html = renderHtml(page);
  const loaded = accents(site, assets);
  return `<!doctype html>${loaded && !hasMore(html) ? html.replace(renderHtml(loaded), "") : html}`;
}

/** What of a customization is a matter of the style sheet, as classes: what is left out is as it is by itself. */
function classesOf({ customization }: Site): string | undefined {
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
