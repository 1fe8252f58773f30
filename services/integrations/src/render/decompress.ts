// Requests by GET are compressed by the format of LZ-string: codes of growing width, six bits a character. It is read
// here, since what is read from an address has to be bounded while it grows.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$";
const BITS = 6;
const NEW_BYTE = 0;
const NEW_CHARACTER = 1;
const END = 2;
/** Characters of a text. */
const LONGEST = 256 * 1024;

/**
 * The text that was compressed for an address, or in base64; undefined for what is not such a text, or longer than 256
 * Ki characters.
 */
export function decompress(compressed: string): string | undefined {
  const values = [...compressed.replaceAll(" ", "+").replaceAll("/", "-").replaceAll("=", "$")].map(
    (character) => ALPHABET.indexOf(character),
  );
  if (values.includes(-1)) return undefined;
  const take = bitsOf(values);

  const literal = (code: number) => {
    const unit = take(code === NEW_BYTE ? 8 : 16);
    return unit === undefined ? undefined : String.fromCharCode(unit);
  };
  const first = take(2);
  if (first === END) return "";
  if (first !== NEW_BYTE && first !== NEW_CHARACTER) return undefined;
  let last = literal(first);
  if (last === undefined) return undefined;
  // The first three codes say what follows; entries of the dictionary begin behind them.
  const dictionary = ["", "", "", last];
  const pieces = [last];
  let length = 1;
  let width = 3;
  let room = 4;
  const grow = () => {
    room -= 1;
    if (room > 0) return;
    room = 2 ** width;
    width += 1;
  };
  while (length <= LONGEST) {
    let code = take(width);
    if (code === undefined) return undefined;
    if (code === END) return pieces.join("");
    if (code === NEW_BYTE || code === NEW_CHARACTER) {
      const character = literal(code);
      if (character === undefined) return undefined;
      code = dictionary.push(character) - 1;
      grow();
    }
    const entry: string | undefined = code === dictionary.length ? last + last[0] : dictionary[code];
    if (entry === undefined) return undefined;
    pieces.push(entry);
    length += entry.length;
    dictionary.push(last + entry[0]);
    grow();
    last = entry;
  }
  return undefined;
}

/** Takes so many bits, the lowest first; undefined when there are no more. */
function bitsOf(values: number[]) {
  let at = 0;
  return (count: number): number | undefined => {
    let taken = 0;
    for (let bit = 0; bit < count; bit++, at++) {
      const value = values[Math.floor(at / BITS)];
      if (value === undefined) return undefined;
      taken |= ((value >> (BITS - 1 - (at % BITS))) & 1) << bit;
    }
    return taken;
  };
}
