import { renderHtml } from "@octavo/html/render";
import { targetIcon } from "@octavo/html/target-icon";
import type { Assets } from "../assets/assets.js";
import { lettersOf } from "../assets/letters.js";
import type { LoadedPage } from "../pages/page.js";
import type { Site } from "../site/site.js";
import type { Entry } from "../site/space.js";
import { isRightToLeft } from "../words/index.js";
import { scriptWords } from "./head.js";
import { type Anchored, anchorOfPage, createAnchors } from "./printed-anchors.js";
import { filesOf, styles } from "./styles.js";

/** What is printed of a page. */
export type PrintedPage = Pick<LoadedPage, "shown" | "html">;

interface Print {
  site: Site;
  assets: Assets;
  title: string;
  /** The pages that are printed together, with the addresses by which others link to them. */
  entries: { entry: Entry; href: string | undefined }[];
  /** Loads a page when its turn has come; undefined when it is gone. */
  load: (entry: Entry) => Promise<PrintedPage | undefined>;
  /** The address of the pages that follow. */
  next: string | undefined;
}

/**
 * Pages one after the other as paper has them, without what stands around them, and with a list of them before. Each is
 * loaded when what comes before it was taken, so that a print takes no more memory than its longest page.
 */
export async function* printHtml({ load, ...print }: Print): AsyncGenerator<string> {
  const { assets, entries } = print;
  const [before, after] = around(print);
  let text = before;
  const anchored = createAnchors(entries.map(({ href }) => href));
  let hasDiagrams = false;
  for (const [index, { entry }] of entries.entries()) {
    yield text + (await printed(index, entry));
    text = "";
  }
  yield (hasDiagrams ? renderHtml(filesOf(["diagram.js"], assets)) : "") + after;

  async function printed(index: number, entry: Entry): Promise<string> {
    const page = await load(entry);
    hasDiagrams ||= page?.html.includes('class="diagram"') === true;
    return article(index, entry, page?.shown, anchored(page?.html ?? ""));
  }
}

/** Marks where the shell is split; no text can contain it. */
const PAGES = "<slot></slot>";

/** What comes before the pages and after them. */
function around({ site, assets, title, entries, next }: Omit<Print, "load">): [string, string] {
  const { words, language } = site;
  // Of pages that are not loaded yet.
  const letters = { own: lettersOf(language) ?? "english", more: false, others: true };
  const page = (
    <html
      lang={language}
      dir={isRightToLeft(language) ? "rtl" : undefined}
      data-theme="light"
      {...scriptWords(site)}
    >
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {styles(site, assets, letters, ["site.css"])}
        {filesOf(["operations.css", "paper.css", "print.js"], assets)}
        <link rel="icon" href={assets.url("icon.svg")} />
      </head>
      <body class="paper">
        <button type="button" class="button primary" data-print hidden>
          {words.print}
        </button>
        <main>
          {entries.length > 1 && (
            <nav class="contents" aria-label={words.contents}>
              <h1>{title}</h1>
              <ol>
                {entries.map(({ entry }, index) => (
                  <li>
                    <a href={`#${anchorOfPage(index)}`}>{entry.title}</a>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <slot />
          {next !== undefined && (
            <p class="more">
              <a href={next}>{words.next}</a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
  const html = `<!doctype html>${renderHtml(page)}`;
  const at = html.lastIndexOf(PAGES);
  return [html.slice(0, at), html.slice(at + PAGES.length)];
}

/** A page as it is printed; of one that is gone, its title. */
function article(
  index: number,
  entry: Entry,
  shown: PrintedPage["shown"] | undefined,
  { html, gone }: Anchored,
): string {
  return renderHtml(
    <article id={anchorOfPage(index)}>
      {gone.map((anchor) => (
        <span id={anchor} />
      ))}
      <div class="head">
        <h1>
          {shown && targetIcon(shown)}
          {entry.title}
        </h1>
        {shown?.description && <p>{shown.description}</p>}
      </div>
      {/* Written by the functions that draw documents, which escape what their authors say. */}
      <div class="text" dangerouslySetInnerHTML={{ __html: html }} />
    </article>,
  );
}
