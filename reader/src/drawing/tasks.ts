import type { Page } from "@octavo/html/page";
import { renderDocument, renderWithin } from "@octavo/html/render";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { type Feed, rssOf } from "../formats/rss.js";
import { linksOn } from "../site/links.js";
import { wordsIn } from "../words/index.js";
import { type Facts, factsOf } from "./facts.js";
import { type DrawingInput, linkedIn, type MarkdownInput } from "./input.js";

/** Draws a document; descriptions of operations are drawn as they are written without what reads them. */
export const drawDocument = (input: DrawingInput, document: JSONDocument, read?: Page["read"]): string =>
  renderDocument(document, pageOf(input, read), { time: input.time });

/** Draws a document; undefined when it takes more than so many milliseconds. */
export const drawWithin = (ms: number, input: DrawingInput, document: JSONDocument): string | undefined =>
  renderWithin(ms, document, pageOf(input));

function pageOf(input: DrawingInput, read?: Page["read"]): Page {
  const { place, site } = input;
  const { space, referred } = linkedIn(input);
  const words = wordsIn(site.spoken);
  return { ...linksOn(place, { ...site, words }, space, referred), read };
}

/** What the feed of a page takes: its document, as JSON, and what the feed says of the page. */
export interface FeedInput {
  json: string;
  feed: Feed;
}

/** The document that was opened last, which most likely is drawn next. */
let last: { json: string; document: JSONDocument } | undefined;

function opened(json: string): JSONDocument {
  const document = last?.json === json ? last.document : (JSON.parse(json) as JSONDocument);
  last = undefined;
  return document;
}

/** What is done on a thread. */
export const tasks = {
  /** Looks through a document that is too long for others to wait. */
  open(json: string): Facts {
    const document = JSON.parse(json) as JSONDocument;
    last = { json, document };
    return factsOf(document);
  },
  async draw(input: DrawingInput): Promise<string> {
    const document = opened(input.json);
    if (input.operations.length === 0) return drawDocument(input, document);
    // What reads their descriptions is loaded by the first page that shows any.
    const { read } = await import("@octavo/html/read");
    return drawDocument(input, document, read);
  },
  async markdown(input: MarkdownInput): Promise<string> {
    // What writes it is loaded by the first page that is asked for as markdown.
    const { writeMarkdown } = await import("./write-markdown.js");
    return writeMarkdown(input, opened(input.json));
  },
  /** The feed of a document; undefined when it has no updates. */
  feed({ json, feed }: FeedInput): string | undefined {
    return rssOf(JSON.parse(json) as JSONDocument, feed);
  },
};
