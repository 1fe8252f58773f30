import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "@octavo/shared/errors";
import { exchangeOf, setAll } from "./exchange.js";
import { networkOf, type RateLimit, refuseRate } from "./limits.js";

// `urls.app` of what the interface returns leads here: a page that says what the address names, and how to read it. It is
// the same for what there is, for what is hidden and for what there never was; only what everybody may see is named.

/** What may be published: a space, a page of one, or a site. */
export type Publishable = { space: string; page?: string } | { organization: string; site: string };

/** What an address of the application names. */
interface Thing {
  kind: string;
  /** Its path in the interface. */
  api: string;
  names?: Publishable;
}

/** What everybody may see of a thing. */
export interface PublicThing {
  title: string;
  published: string;
}

interface Options {
  /** The public bases of the platform and of the application. */
  base: string;
  app: string;
  /** What everybody may see of it; undefined when nobody but members may. */
  lookup: (names: Publishable) => Promise<PublicThing | undefined>;
  /** Counts requests by the address that they come from. */
  rate: RateLimit;
}

const ID = "([\\w-]{1,64})";
const KINDS: [RegExp, (ids: string[]) => Thing][] = [
  [of(`/s/${ID}`), ([space]) => ({ kind: "Space", api: `/spaces/${space}`, names: { space: space! } })],
  [
    of(`/s/${ID}/revisions/${ID}`),
    ([space, id]) => ({ kind: "Revision", api: `/spaces/${space}/revisions/${id}` }),
  ],
  [
    of(`/s/${ID}/change-requests/${ID}`),
    ([space, id]) => ({ kind: "Change request", api: `/spaces/${space}/change-requests/${id}` }),
  ],
  [
    of(`/s/${ID}/${ID}`),
    ([space, page]) => ({
      kind: "Page",
      api: `/spaces/${space}/content/page/${page}`,
      names: { space: space!, page: page! },
    }),
  ],
  [of(`/c/${ID}`), ([id]) => ({ kind: "Collection", api: `/collections/${id}` })],
  [of(`/o/${ID}`), ([id]) => ({ kind: "Organization", api: `/orgs/${id}` })],
  [
    of(`/o/${ID}/sites/${ID}`),
    ([organization, site]) => ({
      kind: "Site",
      api: `/orgs/${organization}/sites/${site}`,
      names: { organization: organization!, site: site! },
    }),
  ],
  [
    of(`/orgs/${ID}/openapi/${ID}`),
    ([org, slug]) => ({ kind: "OpenAPI specification", api: `/orgs/${org}/openapi/${slug}` }),
  ],
];

function of(path: string): RegExp {
  return new RegExp(`^${path}/?$`);
}

/** Serves the addresses of the application, where those are on the host of the interface; else undefined. */
export interface AppPages {
  /** Whether a path is one of them, and names something. */
  has(path: string): boolean;
  serve(req: IncomingMessage, res: ServerResponse, path: string): Promise<void>;
}

/** Creates the pages of the application; undefined where somebody else's application is at these addresses. */
export function createAppPages({ base, app, lookup, rate }: Options): AppPages | undefined {
  const { origin, pathname } = new URL(app);
  const folder = pathname.replace(/\/+$/, "");
  if (origin !== new URL(base).origin || folder === "") return undefined;
  const api = `${base.replace(/\/+$/, "")}/v1`;

  function thingAt(path: string): Thing | undefined {
    if (!path.startsWith(`${folder}/`)) return undefined;
    for (const [pattern, thing] of KINDS) {
      const ids = pattern.exec(path.slice(folder.length));
      if (ids) return thing(ids.slice(1));
    }
    return undefined;
  }

  return {
    has: (path) => thingAt(path) !== undefined,
    async serve(req, res, path) {
      if (req.method !== "GET" && req.method !== "HEAD")
        refuse("METHOD_NOT_SUPPORTED", `Method: ${req.method} is not supported here`, {
          headers: { allow: "GET, HEAD" },
        });
      const allowance = rate.take(networkOf(exchangeOf(req).ip));
      if (allowance.exceeded) refuseRate("Address", allowance);
      const thing = thingAt(path)!;
      // While the service is away the page says what it says of everything.
      const seen = thing.names && (await lookup(thing.names).catch(() => undefined));
      const body = Buffer.from(pageOf(thing, api, seen));
      setAll(res, HEADERS);
      setAll(res, exchangeOf(req).headers);
      res.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": body.length });
      res.end(req.method === "HEAD" ? undefined : body);
    },
  };
}

const HEADERS = [
  "content-security-policy",
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options",
  "nosniff",
  "referrer-policy",
  "no-referrer",
  "cache-control",
  "no-store",
  "cross-origin-opener-policy",
  "same-origin",
  "x-robots-tag",
  "noindex",
];

function pageOf({ kind, api: path }: Thing, api: string, seen: PublicThing | undefined): string {
  const address = html(api + path);
  const published = seen && html(seen.published);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${html(seen?.title ?? kind)}</title>
    <link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/document.css">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body>
    <header class="bar"><a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="26" height="26"><span>Octavo</span></a></header>
    <div class="page">
      <main id="main">
        <h1>${html(seen?.title ?? kind)}</h1>
        <p>${seen ? `${kind} · published at <a href="${published}">${published}</a>` : `The address of a ${kind === "OpenAPI specification" ? kind : kind.toLowerCase()}. Whether there is one, and what it is, the interface tells those who may see it.`}</p>
        <p>In the interface it is <a href="${address}">${address}</a>:</p>
        <pre><code>curl --header "Authorization: Bearer $OCTAVO_TOKEN" ${address}</code></pre>
        <p>Where it is published, <code>urls.published</code> of the response says so. <a href="/docs">All operations</a></p>
      </main>
    </div>
  </body>
</html>
`;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const html = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign]!);
