import { expect, test } from "vitest";
import { createAnchors } from "./printed-anchors.js";

const anchored = (...htmls: string[]) => {
  const next = createAnchors(htmls.map((_, at) => `/sites/a/p${at + 1}`));
  return htmls.map(next);
};
const printed = (...htmls: string[]) => anchored(...htmls).map(({ html }) => html);

test("anchors that several printed pages have are told apart, and what leads to one finds that of its page", () => {
  const tab = '<input type="radio" name="~tabs-1" id="~tab-1"><label for="~tab-1">A</label>';
  const [one, other] = printed(`<h2 id="a"><a href="#a">A</a></h2>${tab}`, '<h2 id="a">A</h2>');
  expect(one).toBe(
    '<h2 id="~page-1.a"><a href="#~page-1.a">A</a></h2>' +
      '<input type="radio" name="~page-1.~tabs-1" id="~page-1.~tab-1"><label for="~page-1.~tab-1">A</label>',
  );
  expect(other).toBe('<h2 id="~page-2.a">A</h2>');
});

test("links to pages that are printed together lead to their place there, others to where they led", () => {
  const [one, two] = anchored(
    '<a href="/sites/a/p2">2</a><a href="/sites/a/p2#x%20y">2</a><a href="/sites/a/p3">3</a><a href="https://a.example/#x">x</a>',
    '<h2 id="x y">X</h2><a href="/sites/a/p1">1</a>',
  );
  expect(one?.html).toBe(
    '<a href="#~page-2">2</a><a href="#~page-2.x%20y">2</a><a href="/sites/a/p3">3</a><a href="https://a.example/#x">x</a>',
  );
  expect(two).toEqual({ html: '<h2 id="~page-2.x y">X</h2><a href="#~page-1">1</a>', gone: [] });
});

test("a link to an anchor that is gone leads to the page that had it", () => {
  const [one, two] = anchored(
    '<h2 id="here"></h2><a href="#gone">1</a><a href="/sites/a/p2#gone">2</a><a href="/sites/a/p2#%E0%A4%A">2</a>',
    '<a href="/sites/a/p1#gone">1</a><a href="/sites/a/p1#here">1</a>',
  );
  expect(one?.html).toBe(
    '<h2 id="~page-1.here"></h2><a href="#~page-1">1</a><a href="#~page-2.gone">2</a><a href="#~page-2">2</a>',
  );
  // Whether a later page has an anchor is not known yet: that page begins with those that it does not have.
  expect(two?.gone).toEqual(["~page-2.gone"]);
  expect(two?.html).toBe('<a href="#~page-1">1</a><a href="#~page-1.here">1</a>');
});

test("text and values of other attributes that look like anchors stay as they are", () => {
  const html = '<pre data-name="a" title="> id=&quot;">id="a" href="#a" &lt;a id="x"></pre>';
  expect(printed(html)).toEqual([html]);
});
