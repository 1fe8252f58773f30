import { sourceHash, THEME_SCRIPT, themeStyle } from "./frame/theme.js";
import type { Look } from "./site.js";

const SCRIPT = sourceHash(THEME_SCRIPT);

/**
 * What a page may load and run: our files, one inline script and the colors of the site by their hashes. Formulas and
 * columns have styles of their own, which are lengths. Frames are opened by readers, of hosts that play films.
 */
export function policyOf(look?: Look): string {
  const style = look ? ` ${sourceHash(themeStyle(look))}` : "";
  return [
    "default-src 'none'",
    `script-src 'self' ${SCRIPT}`,
    `style-src-elem 'self'${style}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: http: data:",
    "media-src 'self' https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://www.loom.com",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join("; ");
}
