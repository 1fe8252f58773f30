import { HOSTILE as HOSTILE_HTML } from "@octavo/html/testing/hostile";
import { HOSTILE as HOSTILE_TYPST } from "@octavo/pdf/testing/hostile";
import { bare, readPdf } from "@octavo/pdf/testing/reading";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { PNG, pdfTest } from "./testing.js";

// Markup of the typesetter and of browsers in every text that a PDF is made of, from the request to the file.

const t = await contentTest();
const { api, fetchBytes } = await pdfTest(t);
afterAll(async () => {
  await api.close();
  await t.drop();
});
const admin = t.as({ acme: "admin" });

async function pdfOf(spaceId: string, changeRequestId?: string) {
  const { url } = changeRequestId
    ? await admin.changeRequestPdf.get({ spaceId, changeRequestId })
    : await admin.pdf.get({ spaceId });
  const { status, bytes } = await fetchBytes(url);
  expect(status).toBe(200);
  return readPdf(bytes);
}

/** A text as markdown that says nothing but it. */
const literal = (text: string) => text.replace(/[\\`*_{}[\]()#+\-.!|<>~$%&"'=/@^:]/g, "\\$&");
/** In an attribute of a tag, quotes would end it. */
const inQuotes = (text: string) => text.replace(/["\\%{}<>]/g, "");

/** A page with a text in every place of its markdown. */
const everywhere = (text: string) => {
  const [words, attribute] = [literal(text), inQuotes(text)];
  return [
    `## ${words}`,
    `${words} **${words}** [${words}](https://example.com/link)`,
    `* ${words}\n\n1. ${words}\n\n* [x] ${words}`,
    `> ${words}`,
    `{% hint style="info" %}\n${words}\n{% endhint %}`,
    `{% tabs %}\n{% tab title="${attribute}" %}\n${words}\n{% endtab %}\n{% endtabs %}`,
    `{% code title="${attribute}" %}\n\`\`\`\`\`js\n${text}\n\`\`\`\`\`\n{% endcode %}`,
    `<details>\n\n<summary>${words}</summary>\n\n${words}\n\n</details>`,
    `| ${words.replaceAll("\\|", "")} | b |\n| --- | --- |\n| ${words.replaceAll("\\|", "")} | c |`,
    `<figure><img src=".gitbook/assets/map.png" alt="${attribute}"><figcaption><p>${words}</p></figcaption></figure>`,
    `{% stepper %}\n{% step %}\n### ${words}\n\n${words}\n{% endstep %}\n{% endstepper %}`,
    `Formula $$\\text{${attribute.replace(/[$#&_^~\\]/g, "")}}$$ and note[^1]`,
    `[^1]: ${words}`,
  ].join("\n\n");
};

/** Of each kind of payload one, each behind another ending. */
const TEXTS = [...HOSTILE_TYPST, ...HOSTILE_HTML]
  .filter((_, index) => index % 24 === 0)
  .map((text) =>
    text
      .replace(/\s+/g, " ")
      .replace(/\p{Cc}/gu, "")
      .trim(),
  )
  .filter((text) => text.length > 0 && text.length <= 80);

test("texts that are hostile to typesetters and browsers are in the PDF of a space as they are, wherever they stand", async () => {
  expect(TEXTS.length).toBeGreaterThan(20);
  const spaceId = await t.space({ title: TEXTS[0]!.slice(0, 50) });
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId, subject: TEXTS[1] });
  const at = { spaceId, changeRequestId };
  const files = [{ name: "map.png", base64: PNG }];
  await admin.changeRequests.edit({ ...at, changes: [{ operation: "insert_files", files }] });
  const changes = TEXTS.map((text) => ({
    operation: "insert_page" as const,
    title: text,
    description: text,
    document: { markdown: everywhere(text) },
  }));
  for (const change of changes) await admin.changeRequests.edit({ ...at, changes: [change] });
  const draft = await pdfOf(spaceId, changeRequestId);
  expect(bare(draft.text)).toContain(bare(TEXTS[1]!));
  await admin.changeRequests.merge(at);
  const { text, links } = await pdfOf(spaceId);
  const read = bare(text);
  for (const one of TEXTS) {
    const count = read.split(bare(one)).length - 1;
    // In the contents, its title and description, and in each block that shows words.
    expect(count, one).toBeGreaterThanOrEqual(15);
  }
  expect(read).toContain(bare(TEXTS[0]!.slice(0, 50)));
  for (const link of await links())
    if (typeof link === "string")
      expect(link).toMatch(/^(?:https?:\/\/example\.com\/|http:\/\/app\.test\/|http:\/\/sites\.test\/)/);
});
