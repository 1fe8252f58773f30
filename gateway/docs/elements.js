/** Builds an element: attributes by name, listeners as `onclick`, children as text or nodes; nothing is ever parsed. */
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(
    ...children.flat(9).filter((child) => child !== undefined && child !== null && child !== false),
  );
  return element;
}

/** Text in which backticks mark code. */
export function inline(text = "") {
  return text.split("`").map((part, index) => (index % 2 ? h("code", null, part) : part));
}

/** A description: blank lines part its paragraphs. */
export function prose(text = "") {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim());
  return paragraphs.map((paragraph) => h("p", null, inline(paragraph)));
}
