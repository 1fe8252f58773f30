import type { SummaryGroup, SummaryItem } from "@octavo/markdown/navigation/summary";
import { readSource } from "@octavo/markdown/source/source";
import type { SourceText } from "../material/material.js";

/** An item of a navigation, before it is known how deep it lies. */
export type Item = SummaryItem | SummaryGroup;

/** The texts of a site, by their paths. */
export type Texts = Map<string, SourceText>;

/** A page; its label is what the navigation calls it, where its text says another title. */
export function pageItem(texts: Texts, file: string, label = "", children: Item[] = []): SummaryItem {
  const text = texts.get(file);
  const own = text && (readSource(text.markdown).title ?? text.title);
  const isLabelled = own !== undefined && label !== "" && own !== label;
  return {
    kind: "page",
    title: own === undefined ? label : "",
    file,
    ...(isLabelled && { linkTitle: label }),
    children: children.map(nested),
  };
}

export const linkItem = (title: string, url: string): SummaryItem => ({
  kind: "link",
  title,
  url,
  children: [],
});

/** Pages under a title; at the top level a group. */
export const groupItem = (title: string, children: Item[]): SummaryGroup => ({
  kind: "group",
  title: title || "Pages",
  children: children.map(nested),
});

/** Below the top there are no groups: they are pages without a text. */
export const nested = (item: Item): SummaryItem =>
  item.kind === "group" ? { kind: "page", title: item.title, children: item.children } : item;

/** Groups of everything are one too many. */
export const unwrapped = (items: Item[]): Item[] =>
  items.length === 1 && items[0]!.kind === "group" ? items[0]!.children : items;

export const isHttp = (url: string) => /^https?:\/\//i.test(url);

/** Levels of a navigation that are read. */
export const DEEPEST = 20;
/** Items of a navigation that are read. */
export const MOST_ITEMS = 20_000;
