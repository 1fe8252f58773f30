/**
 * How many letters were inserted, left out, replaced or swapped with their neighbour between what was typed and a word.
 * `beginning` compares with the best beginning of the word instead.
 */
export function mistakesBetween(typed: string, word: string, beginning = false): number {
  const [a, b] = [[...typed], [...word]];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      next.push(best);
    }
    [before, row] = [row, next];
  }
  return beginning ? Math.min(...row) : row.at(-1)!;
}
