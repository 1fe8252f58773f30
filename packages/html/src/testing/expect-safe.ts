import { expect } from "vitest";
import { elementsOf } from "./structure.js";

const words = (list: string) => new Set(list.split(" "));

/** All that we ever write. */
const HTML = words(
  "html head body main p h2 h3 h4 h5 h6 a ul ol li input div hr blockquote aside figure figcaption img span strong em " +
    "del sup sub kbd code pre br button details summary label section table thead tbody tr th td article header time small " +
    "form select option textarea output b wbr",
);
const SVG = words("svg path");
const MATHML = words(
  "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mstyle " +
    "mpadded mphantom menclose mmultiscripts mprescripts none semantics annotation merror",
);
const ATTRIBUTES = words(
  "id class href rel title alt src width height style loading fetchpriority decoding download start type checked disabled open name for " +
    "autocomplete tabindex role target aria-label aria-level aria-hidden data-n data-syntax data-embed popover popovertarget scope datetime " +
    "viewbox d data-trial data-method data-path data-server data-token data-in data-name data-body data-type data-form data-kind data-variables placeholder data-sample hidden " +
    "value selected multiple required rows spellcheck",
);
const MATH_ATTRIBUTES = words(
  "accent accentunder align columnalign columnlines columnspacing depth display displaystyle fence form height largeop " +
    "linebreak linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines rowspacing " +
    "rspace scriptlevel separator stretchy symmetric voffset width xmlns mathcolor mathbackground columnspan framespacing",
);
const ADDRESSES = words("href src data-embed data-server action formaction xlink:href poster");
const STYLE =
  /^(?:width:[\d.]+%|min-width:\d+px|--basis:[\d.]+(?:%|px)|--(?:lines|rows):\d+|--room:[\d.]+rem)$/;

/** Nothing but our elements and attributes, addresses whose scheme is allowed, and styles that are one length. */
export function expectSafe(html: string, what: string): void {
  const wrong: string[] = [];
  for (const { name, namespace, attrs } of elementsOf(html)) {
    const math = namespace.endsWith("MathML");
    const known = math ? MATHML : namespace.endsWith("svg") ? SVG : HTML;
    if (!known.has(name)) wrong.push(`element ${name}`);
    for (const [attribute, value] of Object.entries(attrs)) {
      const plain = attribute.toLowerCase();
      if (!ATTRIBUTES.has(plain) && !(math && MATH_ATTRIBUTES.has(plain))) wrong.push(`${name} ${attribute}`);
      if (ADDRESSES.has(plain) && !isAllowed(value)) wrong.push(`${name} ${attribute}=${value}`);
      if (plain === "style" && !STYLE.test(value) && !(math && isQuiet(value)))
        wrong.push(`${name} style=${value}`);
    }
  }
  expect(wrong, what).toEqual([]);
}

const isAllowed = (url: string): boolean =>
  ["http:", "https:", "mailto:", "tel:"].includes(new URL(url, "https://page.invalid/").protocol);

/** Lengths and colors of formulas; nothing that loads or lies over the page. */
const isQuiet = (style: string): boolean => !/url|position|expression|@|\\|javascript|<|>/i.test(style);
