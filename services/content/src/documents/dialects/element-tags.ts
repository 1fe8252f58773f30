/** The tag of a component in a text, such as `<Card title="A" href={"/b"}>`. */
export interface ElementTag {
  name: string;
  /** What it says in words; `true` for an attribute without a value. Expressions other than texts are left out. */
  attrs: Record<string, string | true>;
  closing: boolean;
  selfClosing: boolean;
  /** Behind its `>`. */
  end: number;
}

const NAME = /<(\/?)([A-Z][\w.]*)(?=[\s/>])/y;
const ATTRIBUTE = /\s*([A-Za-z_][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(?=\{)))?/y;
const TEXT_IN_BRACES = /^\{\s*(?:"([^"]*)"|'([^']*)'|`([^`$]*)`|(true|[\d.]+))\s*\}$/;

/** The tag of a component that begins at a place; undefined when there is none, or none that ends. */
export function tagAt(text: string, at: number): ElementTag | undefined {
  NAME.lastIndex = at;
  const name = NAME.exec(text);
  if (!name) return undefined;
  const attrs: ElementTag["attrs"] = {};
  let place = NAME.lastIndex;
  for (;;) {
    const rest = /\s*(\/?)>/y;
    rest.lastIndex = place;
    const end = rest.exec(text);
    if (end)
      return {
        name: name[2]!,
        attrs,
        closing: name[1] === "/",
        selfClosing: end[1] === "/",
        end: rest.lastIndex,
      };
    const spread = /\s*(?=\{)/y;
    spread.lastIndex = place;
    if (spread.test(text)) {
      place = endOfBraces(text, spread.lastIndex);
      if (place < 0) return undefined;
      continue;
    }
    ATTRIBUTE.lastIndex = place;
    const attribute = ATTRIBUTE.exec(text);
    if (!attribute) return undefined;
    const [all, key = "", double, single] = attribute;
    place = ATTRIBUTE.lastIndex;
    if (double !== undefined || single !== undefined) attrs[key] = (double ?? single)!;
    else if (!/=\s*$/.test(all)) attrs[key] = true;
    else {
      const end = endOfBraces(text, place);
      if (end < 0) return undefined;
      const literal = TEXT_IN_BRACES.exec(text.slice(place, end));
      if (literal) attrs[key] = literal[1] ?? literal[2] ?? literal[3] ?? literal[4]!;
      place = end;
    }
  }
}

/** Behind the brace that closes the one at a place; -1 when none does. Braces in texts do not count. */
function endOfBraces(text: string, at: number): number {
  let depth = 0;
  let quote = "";
  for (let place = at; place < text.length; place += 1) {
    const character = text[place]!;
    if (quote) {
      if (character === "\\") place += 1;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'" || character === "`") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}
