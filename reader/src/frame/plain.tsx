import { renderHtml } from "@octavo/html/render";
import type { Assets } from "../assets/assets.js";
import { isRightToLeft } from "../words/index.js";
import { THEME_SCRIPT } from "./theme.js";

/** A page that belongs to no site: that there is none, or that nobody can say. */
export function plainHtml(assets: Assets, language: string, title: string, text: string): string {
  const page = (
    <html lang={language} dir={isRightToLeft(language) ? "rtl" : undefined}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        <link rel="stylesheet" href={assets.url("site.css")} />
        <link rel="icon" href={assets.url("icon.svg")} />
      </head>
      <body>
        <div class="layout bare">
          <main class="page">
            <div class="head">
              <h1>{title}</h1>
              <p>{text}</p>
            </div>
          </main>
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${renderHtml(page)}`;
}
