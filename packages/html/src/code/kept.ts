/** Values by texts, of which the ones that were used last are kept, as long as their texts are no more than `most` characters. */
export function createKept<Value extends object>(most: number) {
  const kept = new Map<string, Value>();
  let size = 0;

  return {
    has: (text: string): boolean => kept.has(text),
    get(text: string): Value | undefined {
      const value = kept.get(text);
      if (value === undefined) return undefined;
      kept.delete(text);
      kept.set(text, value);
      return value;
    },
    set(text: string, value: Value): void {
      if (kept.has(text)) return;
      kept.set(text, value);
      size += text.length;
      for (const oldest of kept.keys()) {
        if (size <= most) break;
        size -= oldest.length;
        kept.delete(oldest);
      }
    },
  };
}
