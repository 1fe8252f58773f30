import { renderHtml } from "@octavo/html/render";
import { targetIcon } from "@octavo/html/target-icon";
import type { Assets } from "../assets.js";
import type { LoadedPage } from "../page.js";
import type { Site } from "../site.js";
import { isRightToLeft } from "../words/index.js";
import { scripts, styles } from "./head.js";
import { anchorOfPage, withAnchors } from "./printed-anchors.js";

/** What is printed of a page. */
export type PrintedPage = Pick<LoadedPage, "entry" | "shown" | "html" | "links">;

interface Printed {
  site: Site;
  assets: Assets;
  title: string;
  pages: PrintedPage[];
  /** The address of the pages that follow. */
  next: string | undefined;
}

/** Pages one after the other as paper has them: without what stands around them, with a list of them before. */
export function printHtml({ site, assets, title, pages, next }: Printed): string {
  const { words, language } = site;
  const texts = withAnchors(pages);
  const page = (
    <html lang={language} dir={isRightToLeft(language) ? "rtl" : undefined} data-theme="light">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {styles(site, assets)}
        <script type="module" src={assets.url("print.js")} />
        {scripts(
          pages.some(({ html }) => html.includes('class="diagram"')) ? ["diagram.js"] : [],
          site,
          assets,
        )}
        <link rel="icon" href={assets.url("icon.svg")} />
      </head>
      <body class="paper">
        <button type="button" class="button primary" data-print hidden>
          {words.print}
        </button>
        <main>
          {pages.length > 1 && (
            <nav class="contents" aria-label={words.contents}>
              <h1>{title}</h1>
              <ol>
                {pages.map(({ entry }, index) => (
                  <li>
                    <a href={`#${anchorOfPage(index)}`}>{entry.title}</a>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          {pages.map(({ entry, shown }, index) => (
            <article id={anchorOfPage(index)}>
              <div class="head">
                <h1>
                  {targetIcon(shown)}
                  {entry.title}
                </h1>
                {shown.description && <p>{shown.description}</p>}
              </div>
              {/* Written by the functions that draw documents, which escape what their authors say. */}
              <div class="text" dangerouslySetInnerHTML={{ __html: texts[index]! }} />
            </article>
          ))}
          {next !== undefined && (
            <p class="more">
              <a href={next}>{words.next}</a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderHtml(page)}`;
}
