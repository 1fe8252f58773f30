// @ts-check
// Draws diagrams in frames that have no part in the page: what is wrong with one, or runs in it, stays there.

import { words } from "./scripts/page.js";

const root = document.documentElement;
const { enlarge = "", close: closing = "" } = words;
const { frame: address = "" } = /** @type {HTMLElement} */ (document.querySelector("[data-frame]")).dataset;

/** Diagrams that are drawn together, where all are. */
const AT_A_TIME = 4;
/** Milliseconds after which others are drawn beside one. */
const PATIENCE = 5_000;

/** Whether this is what is printed, which moves in nobody's sight. */
const isPaper = document.body.classList.contains("paper");

const isDark = () =>
  root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

/**
 * Opens a frame that draws a text, and again when the theme changes, until it is closed.
 * @param {string} text @param {string} title @param {boolean} large @param {AbortSignal} signal
 * @param {(said: { height?: number, broken?: string, close?: boolean }) => void} hear
 */
function frameOf(text, title, large, signal, hear) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = title;
  frame.src = address;
  const send = () => frame.contentWindow?.postMessage({ text, dark: isDark(), large }, "*");
  addEventListener(
    "message",
    ({ data, source }) => {
      if (source !== frame.contentWindow || data?.octavo !== "diagram") return;
      if (data.ready) send();
      else hear(data);
    },
    { signal },
  );
  const themes = new MutationObserver(send);
  themes.observe(root, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", send, { signal });
  signal.addEventListener("abort", () => {
    themes.disconnect();
    frame.remove();
  });
  return frame;
}

/** @param {string} label @param {string} sign @param {() => void} act */
function button(label, sign, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = sign;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

/** Shows a diagram as large as the window. @param {string} text @param {string} title */
function open(text, title) {
  const dialog = document.createElement("dialog");
  dialog.className = "large-diagram";
  dialog.setAttribute("aria-label", title);
  const controller = new AbortController();
  const frame = frameOf(text, title, true, controller.signal, ({ close }) => close && dialog.close());
  /** @param {number} factor */
  const zoom = (factor) => frame.contentWindow?.postMessage({ zoom: factor }, "*");
  const tools = document.createElement("div");
  tools.append(
    button("−", "−", () => zoom(0.8)),
    button("+", "+", () => zoom(1.25)),
    button(closing, "×", () => dialog.close()),
  );
  dialog.append(tools, frame);
  dialog.addEventListener("close", () => {
    controller.abort();
    dialog.remove();
  });
  dialog.addEventListener("keydown", ({ key }) => {
    if (key === "+" || key === "=") zoom(1.25);
    if (key === "-") zoom(0.8);
  });
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Gives a diagram the height that it needs where that moves nothing in sight; else it is fitted into the height that it has.
 * @param {HTMLElement} figure
 */
function settle(figure) {
  const { height, bottom } = figure.getBoundingClientRect();
  figure.classList.add("drawn");
  figure.style.blockSize = "";
  const next = figure.getBoundingClientRect();
  const moves =
    !isPaper && bottom > 0 && Math.min(bottom, next.bottom) < innerHeight && next.height !== height;
  if (moves) figure.style.blockSize = `${height}px`;
}

/** Draws a diagram; resolves when that is done, or failed. @param {HTMLElement} figure @returns {Promise<void>} */
const draw = (figure) =>
  new Promise((resolve) => {
    const text = figure.querySelector("code")?.textContent ?? "";
    const title = figure.getAttribute("aria-label") ?? "";
    const controller = new AbortController();
    const frame = frameOf(text, title, false, controller.signal, ({ height, broken }) => {
      if (broken !== undefined) {
        controller.abort();
        figure.classList.remove("drawn");
        figure.classList.add("broken");
      } else if (height) {
        frame.style.height = `${Math.min(4000, Math.max(40, height))}px`;
        settle(figure);
      }
      resolve();
    });
    // One that says nothing holds up no other.
    setTimeout(resolve, PATIENCE);
    figure.append(frame);
    const larger = button(enlarge, "⤢", () => open(text, title));
    larger.className = "enlarge";
    figure.append(larger);
    // What was fitted is given its height once it is out of sight.
    new IntersectionObserver(() => figure.style.blockSize && settle(figure)).observe(figure);
  });

/** Those that are not drawn yet, in their order. */
const waiting = new Set(/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure.diagram")));

/** @param {HTMLElement} figure */
async function drawOnce(figure) {
  seen.unobserve(figure);
  if (waiting.delete(figure)) await draw(figure);
}

/** Draws all that are left, a few at a time: each frame reads megabytes of script. */
async function drawAll() {
  for (const figure of waiting) await drawOnce(figure);
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting) void drawOnce(/** @type {HTMLElement} */ (target));
  },
  { rootMargin: "400px" },
);
for (const figure of waiting) seen.observe(figure);

const together = () => {
  for (let count = 0; count < AT_A_TIME; count += 1) void drawAll();
};
// A print waits for all of them; a page that is printed has those that are drawn in time.
if (isPaper) together();
else addEventListener("beforeprint", together);
