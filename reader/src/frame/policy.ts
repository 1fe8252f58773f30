import { readUrl } from "@octavo/shared/read-url";
import type { Customization } from "../site/site.js";
import { fontFiles, SIDE_SCRIPT, sourceHash, THEME_SCRIPT, themeOf } from "./theme.js";

const SCRIPTS = [THEME_SCRIPT, SIDE_SCRIPT].map(sourceHash).join(" ");

const MOST_ORIGINS = 10;

/** The origins of addresses that requests go to; what is no address of http is none. */
function originsOf(servers: string[]): string[] {
  const origins = servers.flatMap((server) => {
    const url = readUrl(server);
    return url && /^https?:$/.test(url.protocol) && /^[a-z0-9.-]+$/i.test(url.hostname) ? [url.origin] : [];
  });
  return [...new Set(origins)].slice(0, MOST_ORIGINS);
}

/** What our own files may do when somebody opens one of them. */
export const ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** What the frame of a diagram may do: run what draws it, with an origin of its own, and ask nobody anything. */
export const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ");

/**
 * What a page may load and run: our files, two inline scripts and the colors of the site by their hashes. Formulas and
 * columns have styles of their own, which are lengths. Frames are opened by readers, of hosts that play films.
 */
export function policyOf(customization?: Customization, servers: string[] = []): string {
  const style = customization ? ` ${themeOf(customization).hash}` : "";
  return [
    "default-src 'none'",
    `script-src 'self' ${SCRIPTS}`,
    `style-src-elem 'self'${style}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' https: http: data:",
    "media-src 'self' https:",
    ["font-src 'self'", ...originsOf(customization ? fontFiles(customization) : [])].join(" "),
    ["connect-src 'self'", ...originsOf(servers)].join(" "),
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com https://www.loom.com",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join("; ");
}
