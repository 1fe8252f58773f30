import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { createBodyCache } from "./cache/body-cache.js";
import { createRecentResponses } from "./cache/recent-responses.js";
import { createProtocol } from "./mcp/protocol.js";
import { createPrerender } from "./pages/prerender.js";
import { createWholeSpaces } from "./routes/whole-spaces.js";
import type { Site } from "./site/site.js";
import type { spaceFrom } from "./site/space.js";

type Shape = Parameters<typeof spaceFrom>[1]["pages"][number];

const layout = {
  ...({ width: "default", coverSize: "hero" } as const),
  cover: true,
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

/** A page as content lists it. */
export const page = (path: string, title: string, pages: Shape[] = []) => {
  const slug = path.split("/").at(-1)!;
  const urls = { app: "http://octavo.test/app" };
  return {
    id: path,
    type: "document" as const,
    kind: "sheet" as const,
    title,
    slug,
    path,
    urls,
    layout,
    pages,
  };
};

/** A document of paragraphs as content sends it, on a page that has no more. */
export const shownPage = (...paragraphs: string[]) => ({
  page: { type: "document" },
  document: JSON.stringify({
    object: "document",
    data: {},
    nodes: paragraphs.map((text) => ({
      object: "block",
      type: "paragraph",
      nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }],
    })),
  }),
});

/** A group of pages as content lists it. */
export const group = (path: string, title: string, pages: Shape[]) => ({
  id: path,
  title,
  slug: path,
  path,
  pages,
  ...({ type: "group", kind: "group" } as const),
});

const both = (color: string) => ({ light: color, dark: color });
const styling = {
  theme: "clean",
  corners: "rounded",
  depth: "flat",
  links: "default",
  background: "plain",
  primaryColor: both("#3366ff"),
  infoColor: both("#3366ff"),
  successColor: both("#3366ff"),
  warningColor: both("#3366ff"),
  dangerColor: both("#3366ff"),
  font: "Inter",
  monospaceFont: "Inter",
  sidebar: { background: "filled", list: "line" },
};

/** The look of a site, as far as what is tested reads it. */
export const customization = {
  styling,
  header: { preset: "default", links: [] },
  favicon: {},
  footer: { groups: [] },
  socialPreview: {},
  trademark: {},
  privacyPolicy: {},
  themes: { default: "light" },
  git: { showEditLink: false },
  feedback: { enabled: true },
  externalLinks: { target: "self" },
  // Cast: the little that is read, of all that a look is.
} as unknown as Site["customization"];

/** A response that is kept instead of sent. */
export function keptResponse() {
  const parts: Buffer[] = [];
  const sent = {
    status: 0,
    headers: {} as Record<string, unknown>,
    text: () => String(Buffer.concat(parts)),
  };
  const stream = new Writable({
    write(part: Buffer, _, done) {
      parts.push(part);
      done();
    },
  });
  const writeHead = (status: number, headers: Record<string, unknown>) => {
    Object.assign(sent, { status, headers });
    return stream;
  };
  // Cast: the little of a response that is called.
  return { sent, res: Object.assign(stream, { writeHead, flushHeaders() {} }) as unknown as ServerResponse };
}

/** What requests share, empty. */
export const createState = () => ({
  bodies: createBodyCache(),
  recent: createRecentResponses(),
  prerender: createPrerender(),
  wholeSpaces: createWholeSpaces(),
  protocol: createProtocol(),
});
