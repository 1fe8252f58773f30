import type { Mutant, Span } from "./mutants.js";

/** Whether a mutant is the one to be tried: asked by the switched source wherever it has a mutant. */
export const SWITCH = "globalThis.octavoMutant";

interface MutationPoint extends Span {
  mutants: { number: number; text: string }[];
}

/**
 * A source with mutants in it, of which `SWITCH` chooses one while it runs, by its number. Its lines are those of the
 * source.
 */
export function switchedSource(source: string, mutants: ReadonlyMap<number, Mutant>): string {
  const places = placesOf(source, mutants);
  let next = 0;
  return render(0, source.length);

  /** The text between two offsets, with the places within. */
  function render(start: number, end: number): string {
    let [text, at] = ["", start];
    for (let place = places[next]; place && place.start < end; place = places[next]) {
      next += 1;
      text += source.slice(at, place.start) + renderPlace(place);
      at = place.end;
    }
    return text + source.slice(at, end);
  }

  function renderPlace({ start, end, isStatement, mutants }: MutationPoint): string {
    const original = render(start, end);
    const isActive = (number: number) => `${SWITCH}?.(${number})`;
    if (isStatement) return `{ if (!${isActive(mutants[0]!.number)}) { ${original} } }`;
    const choices = mutants.map(({ number, text }) => `${isActive(number)} ? (${text}) : `);
    return `(${choices.join("")}(${original}))`;
  }
}

/** Where there are mutants, the outer places before those inside of them. */
function placesOf(source: string, mutants: ReadonlyMap<number, Mutant>): MutationPoint[] {
  const places = new Map<string, MutationPoint>();
  for (const [number, { around, start, end, to }] of mutants) {
    const key = `${around.start}-${around.end}-${around.isStatement}`;
    const place = places.get(key) ?? { ...around, mutants: [] };
    const text = source.slice(around.start, start) + to + source.slice(end, around.end);
    place.mutants.push({ number, text });
    places.set(key, place);
  }
  return [...places.values()].toSorted(
    (one, other) =>
      one.start - other.start || other.end - one.end || Number(other.isStatement) - Number(one.isStatement),
  );
}
