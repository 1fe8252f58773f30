// @ts-check
// In the frame of a diagram: draws what the page around sends, and tells how high it is. The frame has an origin of its own.

/** @type {{ initialize(options: object): void, render(id: string, text: string): Promise<{ svg: string }> }} */
const mermaid = /** @type {any} */ (globalThis).mermaid;
let count = 0;
let [natural, scale] = [0, 1];

/** @param {object} message */
const tell = (message) => parent.postMessage({ ...message, octavo: "diagram" }, "*");

/** The colors of pages, by the names that mermaid has for them. */
const LIGHT = {
  ...{ background: "#ffffff", edgeLabelBackground: "#ffffff", lineColor: "#69727f" },
  ...{ primaryColor: "#edf2fd", primaryBorderColor: "#b4c4e6", primaryTextColor: "#1c2027" },
  ...{ secondaryColor: "#eef6f1", tertiaryColor: "#f7f8fa", clusterBkg: "#f7f8fa", clusterBorder: "#d8dce3" },
  ...{ noteBkgColor: "#fdf6e3", noteBorderColor: "#e2cf9b", noteTextColor: "#1c2027" },
};
const DARK = {
  ...{ darkMode: true, background: "#111318", edgeLabelBackground: "#191d24", lineColor: "#98a1ae" },
  ...{ primaryColor: "#1e2838", primaryBorderColor: "#43557a", primaryTextColor: "#e6e8ec" },
  ...{ secondaryColor: "#1c2b25", tertiaryColor: "#191d24", clusterBkg: "#171a20", clusterBorder: "#363c47" },
  ...{ noteBkgColor: "#2d2a1e", noteBorderColor: "#635a38", noteTextColor: "#e6e8ec" },
};

const svg = () => /** @type {SVGSVGElement | null} */ (document.querySelector("body > svg"));

/** Tells the height at the width that there is, also where the frame is lower and the drawing was fitted into it. */
function measure() {
  const box = svg()?.viewBox.baseVal;
  if (box?.width) tell({ height: Math.ceil((Math.min(natural, innerWidth) * box.height) / box.width) });
}

/** @param {number} to */
function zoom(to) {
  const drawn = svg();
  scale = Math.min(8, Math.max(0.25, to));
  if (drawn && document.body.className === "large") drawn.style.width = `${natural * scale}px`;
}

/** @param {{ text: string, dark: boolean, large?: boolean }} given */
async function draw({ text, dark, large }) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: "base",
    themeVariables: dark ? DARK : LIGHT,
    fontFamily: "ui-sans-serif, system-ui, sans-serif",
    suppressErrorRendering: true,
  });
  count += 1;
  try {
    const { svg: made } = await mermaid.render(`diagram-${count}`, text);
    document.body.innerHTML = made;
    document.body.className = large ? "large" : "";
    natural = Number.parseFloat(svg()?.style.maxWidth ?? "") || svg()?.getBoundingClientRect().width || 600;
    if (large) svg()?.style.setProperty("max-width", "none");
    if (large) zoom(Math.max(1, Math.min(3, innerWidth / natural)));
    measure();
  } catch (error) {
    tell({ broken: String(error).slice(0, 300) });
  }
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data !== "object" || data === null) return;
  if (typeof data.text === "string") void draw(data);
  else if (typeof data.zoom === "number") zoom(scale * data.zoom);
});
addEventListener("resize", measure);
addEventListener("keydown", ({ key }) => {
  const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[key];
  if (factor) zoom(scale * factor);
  if (key === "0") zoom(1);
  if (key === "Escape") tell({ close: true });
});
tell({ ready: true });
