import { PLAIN_PAGE } from "@octavo/html/page";
import type { Ref } from "@octavo/markdown/document/refs";
import { expect, test } from "vitest";
import { withAnchors } from "./printed-anchors.js";

const links = {
  ...PLAIN_PAGE,
  link: ({ page }: Ref) => ({ href: `/sites/a/${page}` }),
};
const entry = { title: "", type: "document", hidden: false, noIndex: false } as const;
const printed = (...htmls: string[]) =>
  withAnchors(
    htmls.map((html, at) => ({ entry: { ...entry, id: `p${at + 1}`, children: [] }, html, links })),
  );

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
  const [one] = printed(
    '<a href="/sites/a/p2">2</a><a href="/sites/a/p2#x%20y">2</a><a href="/sites/a/p3">3</a><a href="https://a.example/#x">x</a>',
    '<h2 id="x y">X</h2>',
  );
  expect(one).toBe(
    '<a href="#~page-2">2</a><a href="#~page-2.x%20y">2</a><a href="/sites/a/p3">3</a><a href="https://a.example/#x">x</a>',
  );
});

test("a link to an anchor that is gone leads to the page that had it", () => {
  const [one] = printed(
    '<a href="#gone">1</a><a href="/sites/a/p2#gone">2</a><a href="/sites/a/p2#%E0%A4%A">2</a>',
    "",
  );
  expect(one).toBe('<a href="#~page-1">1</a><a href="#~page-2">2</a><a href="#~page-2">2</a>');
});

test("text and values of other attributes that look like anchors stay as they are", () => {
  const html = '<pre data-name="a" title="> id=&quot;">id="a" href="#a" &lt;a id="x"></pre>';
  expect(printed(html)).toEqual([html]);
});
