/** What the highlighter's names stand for here; what is not listed has the color of what is around it. */
const KINDS: Readonly<Record<string, string>> = {
  comment: "c",
  prolog: "m",
  doctype: "m",
  cdata: "c",
  shebang: "c",

  keyword: "k",
  important: "k",
  atrule: "k",
  rule: "k",
  method: "k",

  number: "n",
  boolean: "n",
  symbol: "n",
  null: "n",
  entity: "n",
  datetime: "n",
  date: "n",
  time: "n",
  unit: "n",
  hexcode: "n",

  builtin: "b",
  "class-name": "b",
  namespace: "b",
  type: "b",

  tag: "g",
  selector: "g",

  string: "s",
  char: "s",
  regex: "s",
  url: "s",
  "attr-value": "s",
  "template-string": "s",
  "triple-quoted-string": "s",
  "code-snippet": "s",
  "header-value": "s",

  function: "f",
  title: "f",
  section: "f",
  table: "f",

  "attr-name": "a",
  property: "a",
  key: "a",
  header: "a",
  "header-name": "a",

  variable: "v",
  constant: "v",
  environment: "v",

  annotation: "m",
  attribute: "m",
  decorator: "m",
  directive: "m",
  macro: "m",
  preprocessor: "m",
  "shell-symbol": "m",
  coord: "m",

  inserted: "i",
  deleted: "d",
  bold: "st",
  italic: "em",

  // What holds code of its own, and marks that would be too many.
  interpolation: "",
  script: "",
  operator: "",
  punctuation: "",
  "embedded-code": "",
  "code-block": "",
};

/** The color of what the highlighter gives these classes, in what has another color: the first of them that has one decides. */
export function kindOf(classes: readonly string[], around: string): string {
  const name = classes.find((one) => Object.hasOwn(KINDS, one));
  return name === undefined ? around : KINDS[name]!;
}
