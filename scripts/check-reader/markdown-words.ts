/** Chinese characters are a word each: nothing stands between words. */
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/** How often a text says each word. */
type Words = Map<string, number>;

/** Code in lines of its own, and in a line of text. */
const CODE = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n(.*?)^[ \t>]*\1[ \t]*$|(?<!`)(`+)(?!`)(.*?[^`])\3(?!`)/gms;
/** What is no text of the page itself, and formulas, whose commands are no words. */
const NO_TEXT = [
  /^> All pages of this site[^\n]*/,
  /(?<!\\)\$\$.*?\$\$/gs,
  // What stands for a page or an operation is shown by the title and the description of that one.
  /(?<=\{% content-ref (?:[^%]|%(?!\}))*%\}).*?(?=\{% endcontent-ref)/gs,
  /(?<=\{% (?:openapi|swagger)(?:[^%]|%(?!\}))*%\}).*?(?=\{% end(?:openapi|swagger))/gs,
  /\[[^\]]*\]\([^)]* "mention"\)/g,
  // A bar in a row begins another cell also within tags, and no column is there for what is left.
  /(?<=^\|[^\n]*<code>[^<\n|]*)\|[^\n]*/gm,
  /(?<=<table [^>]*data-header-hidden[^>]*>)<thead>.*?<\/thead>/gs,
  // Numbers of lists and notes, marks in boxes, and emoji.
  /(?<=^[ \t>]*(?:[-*+] )?)\d+[.)](?=\s)/gm,
  /\[\^[^\]]*\]/g,
  /(?<=[-*+] )\[x\]|<td>(?:true|false)<\/td>/g,
  /(?<![\p{L}\p{N}]):[\w+-]+:/gu,
];
const TAG = /\{%.*?%\}|<[a-z/!][^>]*>/gs;
const LINK_END = /\]\((?:<[^>]*>|(?:\\.|[^()\s]|\([^()\s]*\))*)(\s+"[^"]*")?\)/g;
const NAMED_CHARACTER = /&#?\w+;/g;
/** Attributes of tags that readers see. */
const TEXTS = /\b(?:title|alt|description|tags)="([^"]*)"/g;

/** Counts the words that markdown says, found by other means than Octavo's: a mistake in one shows. */
export function wordsOfMarkdown(markdown: string): Words {
  const code: string[] = [];
  const withoutCode = markdown.replace(CODE, (_, _fence, lines?: string, _ticks?: string, inLine = "") => {
    code.push(lines ?? inLine);
    return " ";
  });
  const text = NO_TEXT.reduce((left, one) => left.replace(one, " "), withoutCode)
    .replace(TAG, (tag) => ` ${[...tag.matchAll(TEXTS)].map(([, said]) => said).join(" ")} `)
    .replace(LINK_END, (_, title = "") => ` ${title} `)
    .replace(NAMED_CHARACTER, " ");
  return countWords([text, ...code].join("\n"));
}

/** Elements in a line of text, which end no word. */
const IN_LINE = /<\/?(?:a|b|button|code|del|em|kbd|span|strong|sub|sup|wbr)\b[^>]*>/g;
const ATTRIBUTES = / (?:alt|title|aria-label)="([^"]*)"/g;
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/**
 * Counts the words that HTML says, in its texts and in the attributes that are read out. Pieces of a line are read both as one
 * word and as several: markdown has marks between them, and code has none.
 */
export function wordsOfHtml(html: string): Words {
  const attributes = [...html.matchAll(ATTRIBUTES)].map(([, said]) => said).join(" ");
  const read = (text: string) =>
    countWords(
      `${text.replace(/<[^>]*>/g, " ")} ${attributes}`.replace(
        /&(lt|gt|quot|#39|amp);/g,
        (_, name: string) => ENTITIES[name]!,
      ),
    );
  const words = read(html);
  for (const [word, count] of read(html.replace(IN_LINE, "")))
    words.set(word, Math.max(count, words.get(word) ?? 0));
  return words;
}

/** The words of which some others have less. */
export const wordsMissing = (words: Words, others: Words): string[] =>
  [...words].flatMap(([word, count]) => ((others.get(word) ?? 0) < count ? [word] : []));

function countWords(text: string): Words {
  const words: Words = new Map();
  for (const [word] of text.matchAll(WORD)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}
