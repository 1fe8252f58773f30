const formats = new Map<string, Intl.DateTimeFormat>();

/** A day, or the day of a time, as people write it in a language; undefined for what is none. */
export function dayIn(language: string, time: string): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  const format =
    formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  formats.set(language, format);
  return format.format(date);
}
