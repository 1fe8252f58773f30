/** Lines of another tool's markdown, outside of code, in ours: nothing in them becomes a tag of ours by chance. */
export function rewriteWords(line: string, { modules }: { modules: boolean }): string {
  if (/^\s*(?:\[\[?toc\]?\]|<!--\s*truncate\s*-->)\s*$/i.test(line)) return "";
  let out = "";
  let at = 0;
  const code = /(`+)/g;
  for (let mark = code.exec(line); mark; mark = code.exec(line)) {
    const end = line.indexOf(mark[1]!, mark.index + mark[1]!.length);
    if (end < 0) continue;
    const after = end + mark[1]!.length;
    out += rewrite(line.slice(at, mark.index), modules) + line.slice(mark.index, after);
    at = after;
    code.lastIndex = after;
  }
  return withAnchor(out + rewrite(line.slice(at), modules));
}

function rewrite(words: string, modules: boolean): string {
  const plain = words.replaceAll("{%", "\\{%").replace(/\)\{:?[ \t]*[.#][^{}]*\}/g, ")");
  if (!modules) return plain;
  return plain
    .replace(/=\{(?:require|useBaseUrl)\((["'])([^"'{}]*)\1\)(?:\.default)?\}/g, '="$2"')
    .replace(/\sstyle=\{\{[^{}]*\}\}/g, "")
    .replace(/\bclassName=/g, "class=")
    .replace(/\{(["'`])( *)\1\}/g, "$2");
}

/** `## Title {#name}` with the anchor as we write it. */
const withAnchor = (line: string): string =>
  line.length > LONGEST_HEADING
    ? line
    : line.replace(
        /^([ \t]*#{1,6}[ \t].*?)[ \t]*\\?\{:?[ \t]*#([\w.-]{1,100})(?:[ \t][^{}]*)?\}[ \t]*#*[ \t]*$/,
        '$1 <a href="#$2" id="$2"></a>',
      );
const LONGEST_HEADING = 1_000;
