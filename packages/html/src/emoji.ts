/** The character of code points with dashes between them, such as `1f468-200d-1f4bb`; undefined when they are none. */
export function emojiOf(code: string | undefined): string | undefined {
  if (code === undefined || !/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,12}$/i.test(code)) return undefined;
  const points = code.split("-").map((point) => Number.parseInt(point, 16));
  const isText = (point: number) => point >= 0x23 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return points.every(isText) ? String.fromCodePoint(...points) : undefined;
}
