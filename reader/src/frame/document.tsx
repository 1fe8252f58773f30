import { renderHtml } from "@octavo/html/render";
import { lettersIn } from "../assets/letters.js";
import { isRightToLeft } from "../words/index.js";
import { announcement, footer, header, menuLinks } from "./around.js";
import type { Frame } from "./frame.js";
import { head, scriptWords } from "./head.js";
import { classesOf } from "./styles.js";
import { SIDE_SCRIPT } from "./theme.js";

/** Marks where the head comes, which is drawn after what is below it: it loads the letters that are there. */
const HEAD = "<slot></slot>";

/** The HTML of a whole page. */
export function htmlOf(frame: Frame): string {
  const { site, sidebar, outline, body, wide, atOnce } = frame;
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
      {...scriptWords(site)}
    >
      <slot />
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
  const place = html.indexOf(HEAD);
  const shown = html.slice(place + HEAD.length);
  return `<!doctype html>${html.slice(0, place)}${renderHtml(head(frame, lettersIn(shown, language)))}${shown}`;
}
