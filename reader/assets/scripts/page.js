// @ts-check
// What the scripts of pages share.

/** The elements that a selector finds. @template {Element} E @param {string} selector @param {ParentNode} [within] @returns {E[]} */
export const all = (selector, within = document) =>
  /** @type {E[]} */ ([...within.querySelectorAll(selector)]);

/** Words in the language of the page. */
export const words = document.documentElement.dataset;

/** The anchor that a fragment names: as it is where it encodes nothing. @param {string} hash */
export function anchorIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
