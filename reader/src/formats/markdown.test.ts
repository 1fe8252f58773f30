import { expect, test } from "vitest";
import { wantsMarkdown } from "./markdown.js";

test("markdown is sent when Accept prefers it, and HTML to browsers", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (const accept of [undefined, "*/*", browser, "text/html, text/markdown;q=0.5"])
    expect(wantsMarkdown(accept), accept).toBe(false);
  for (const accept of [
    "text/markdown",
    "text/markdown, text/html;q=0.9, */*;q=0.1",
    "Text/Markdown,text/html",
  ])
    expect(wantsMarkdown(accept), accept).toBe(true);
});
