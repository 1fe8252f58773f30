interface Import {
  from: string;
  typesOnly: boolean;
}

/** Static and dynamic imports, re-exports and types by `import("…")` in a source, as the formatter writes them. */
export function importsOf(text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s(?:(type)\s|[^"'`;]*?\bfrom\s|(?="))[^"'`;]*"([^"]+)";/gm,
  );
  const calls = text.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g);
  return [
    ...[...statements].map(([, type, from]) => ({ from: from!, typesOnly: type === "type" })),
    ...[...calls].map(([, from]) => ({ from: from!, typesOnly: false })),
  ];
}
