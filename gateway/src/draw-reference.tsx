import { type Page, PLAIN_PAGE } from "@octavo/html/page";
import { read } from "@octavo/html/read";
import { renderHtml, renderOperation } from "@octavo/html/render";
import type { Html } from "@octavo/html/scope";
import { BASE } from "./draw-base.js";
import type { Document } from "./merge-documents.js";

// The pages of the reference, drawn when the gateway is built: an operation looks as it does on the sites that people read.

type Part = Record<string, unknown>;

interface Operation {
  id: string;
  tag: string;
  method: string;
  path: string;
  title: string;
  shown: Part;
}

/** Milliseconds that the colors of one sample may take. */
const TIME = 2_000;
const PAGE: Page = { ...PLAIN_PAGE, read };
const METHODS = ["get", "post", "patch", "put", "delete"];

/** A page of the reference by the last part of its address; the overview has none. */
export function drawReference(document: Document): Map<string, string> {
  const { security } = document;
  const references = referencesOf(document);
  const operations = operationsOf(document);
  const byTag = new Map<string, Operation[]>();
  for (const one of operations) byTag.set(one.tag, [...(byTag.get(one.tag) ?? []), one]);
  const pages = new Map([["", pageOf({ title: "API reference", byTag, body: overview(byTag) })]]);
  for (const one of operations) {
    const { id, method, path, shown, title } = one;
    const drawn = {
      servers: [`${BASE}/v1`],
      operation: { security, ...shown, summary: undefined },
      references,
    };
    const html = renderOperation(drawn, { method, path }, PAGE, { time: TIME });
    const body = (
      <>
        <div class="head">
          <h1>{title}</h1>
        </div>
        {/* Written by the functions that draw documents, which escape what they are given. */}
        <div class="text" dangerouslySetInnerHTML={{ __html: html }} />
      </>
    );
    pages.set(id, pageOf({ title, byTag, current: one, body }));
  }
  return pages;
}

/** What the search of the page looks through: address, method, path and words of every operation. */
export const listOfOperations = (document: Document) =>
  operationsOf(document).map(({ id, method, path, title, tag }) => ({
    id,
    method,
    path,
    title,
    tag: words(tag),
  }));

function operationsOf({ paths = {} }: Document): Operation[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const shown = item[method] as Part & { operationId: string; summary?: string; tags?: string[] };
      const { operationId: id, summary, tags = [] } = shown;
      return { id, tag: tags[0] ?? "other", method, path, title: summary ?? words(id), shown };
    }),
  );
  return operations.sort((one, other) => one.tag.localeCompare(other.tag));
}

/** All components by the references that lead to them. */
function referencesOf({ components = {} }: Document): Record<string, Part> {
  const entries = Object.entries(components).flatMap(([kind, all]) =>
    Object.entries(all).map(([name, one]) => [`#/components/${kind}/${name}`, one] as const),
  );
  return Object.fromEntries(entries);
}

/** `getSpaceById` and `change-requests` as words. */
function words(id: string): string {
  const text = id
    .replace(/[-_.]/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface ReferencePage {
  title: string;
  byTag: Map<string, Operation[]>;
  current?: Operation;
  body: Html;
}

const href = (id: string): string => `/docs/${id}`;

function pageOf({ title, byTag, current, body }: ReferencePage): string {
  const page = (
    <html lang="en" data-copy="Copy" data-copied="Copied">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Octavo`}</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/document.css" />
        <link rel="stylesheet" href="/docs/operations.css" />
        <link rel="stylesheet" href="/docs/page.css" />
        <script type="module" src="/docs/page.js" />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {bar()}
        <div class="page">
          <nav id="navigation" aria-label="Operations">
            <ul id="found" hidden />
            {[...byTag].map(([tag, own]) => group(tag, own, current))}
          </nav>
          <main id="main" tabIndex={-1}>
            {body}
          </main>
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${renderHtml(page)}`;
}

const bar = (): Html => (
  <header class="bar">
    <button
      type="button"
      id="menu"
      class="menu"
      aria-label="Operations"
      aria-controls="navigation"
      aria-expanded="false"
    >
      ☰
    </button>
    <a class="brand" href="/docs">
      <img src="/docs/icon.svg" alt="" width="26" height="26" />
      <span>Octavo</span>
    </a>
    <label class="search" hidden>
      <span class="hidden">Search operations</span>
      <input
        id="search"
        type="search"
        placeholder="Search operations and paths"
        autocomplete="off"
        spellcheck={false}
      />
      <kbd>/</kbd>
    </label>
    <label class="token" hidden>
      <span class="hidden">Bearer token</span>
      <input
        type="password"
        data-token={`bearer ${BASE}/v1`}
        placeholder="Bearer token"
        autocomplete="off"
        spellcheck={false}
      />
    </label>
    <a class="raw" href="/v1/openapi.json">
      openapi.json
    </a>
  </header>
);

/** The operations of a tag: of the one that is open all of them, of others a link to the first. */
function group(tag: string, own: Operation[], current: Operation | undefined): Html {
  const open = tag === current?.tag;
  return (
    <section class={open ? "open" : undefined}>
      <h2>
        <a href={href(own[0]!.id)}>
          {words(tag)}
          <span>{own.length}</span>
        </a>
      </h2>
      {open && <ul>{own.map((one) => entry(one, one === current))}</ul>}
    </section>
  );
}

const entry = ({ id, method, path, title }: Operation, current: boolean): Html => (
  <li>
    <a
      href={href(id)}
      title={`${method.toUpperCase()} /v1${path}`}
      aria-current={current ? "page" : undefined}
    >
      <span class={`verb ${method}`}>{method === "delete" ? "DEL" : method.toUpperCase()}</span>
      <span>{title}</span>
    </a>
  </li>
);

const CONVENTIONS: [string, Html][] = [
  [
    "Authentication",
    <>
      Send <code>{"Authorization: Bearer <token>"}</code> with every request. A missing, unknown, revoked or
      expired token is 401.
    </>,
  ],
  [
    "Errors",
    <>
      Every error is <code>{"{ error: { code, message, reason, requestId } }"}</code>; <code>reason</code> is
      a stable machine word, and bad input lists all its <code>issues</code>. With{" "}
      <code>Accept: application/problem+json</code> errors follow RFC 9457.
    </>,
  ],
  [
    "Lists",
    <>
      Lists return <code>{"{ items, count, next }"}</code>. Send <code>next.page</code> back as{" "}
      <code>page</code> to go on; <code>limit</code> is 50 by default, 1000 at most. A list never misses or
      repeats an item that was there throughout.
    </>,
  ],
  [
    "Limits",
    <>
      Every response says <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and{" "}
      <code>X-RateLimit-Reset</code>. Beyond the limit it is 429 with <code>Retry-After</code>. A body has at
      most 256 KiB, where an operation names nothing else, 256 levels and 250,000 values.
    </>,
  ],
  [
    "Tracing",
    <>
      Every response carries <code>X-Request-Id</code>: yours when you send one. <code>traceparent</code> is
      passed on.
    </>,
  ],
];

/** The first page: how everything behaves, and the groups of operations. */
const overview = (byTag: Map<string, Operation[]>): Html => (
  <>
    <div class="head">
      <h1>API reference</h1>
      <p>A self-hosted platform for publishing documentation.</p>
    </div>
    <div class="text">
      {CONVENTIONS.map(([title, text]) => [<h2>{title}</h2>, <p>{text}</p>])}
      <h2>Operations</h2>
      <div class="tiles">
        {[...byTag].map(([tag, own]) => (
          <a class="tile" href={href(own[0]!.id)}>
            <strong>{words(tag)}</strong>
            <small>{own.length === 1 ? "1 operation" : `${own.length} operations`}</small>
          </a>
        ))}
      </div>
    </div>
  </>
);
