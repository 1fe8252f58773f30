const LATIN1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

const NAMED = new Map<string, string>([
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    bull: "•",
    larr: "←",
    uarr: "↑",
    rarr: "→",
    darr: "↓",
    harr: "↔",
    euro: "€",
    trade: "™",
    ensp: "\u2002",
    emsp: "\u2003",
    thinsp: "\u2009",
    zwnj: "\u200c",
    zwj: "\u200d",
    check: "✓",
    lbrace: "{",
    rbrace: "}",
    lcub: "{",
    rcub: "}",
    lbrack: "[",
    rbrack: "]",
    lpar: "(",
    rpar: ")",
    num: "#",
    percnt: "%",
    ast: "*",
    lowbar: "_",
    grave: "`",
    vert: "|",
    bsol: "\\",
    colon: ":",
  }),
  ...LATIN1.split(" ").map((name, index) => [name, String.fromCharCode(160 + index)] as [string, string]),
]);

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y;

/** The HTML character reference that starts at `at`, or undefined: unknown names stay text. */
export function entityAt(text: string, at: number): { value: string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (!match) return undefined;
  const [whole, decimal, hex, name] = match;
  const value = name
    ? NAMED.get(name)
    : character(decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16));
  return value === undefined ? undefined : { value, end: at + whole.length };
}

function character(code: number): string {
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? "�"
    : String.fromCodePoint(code);
}
