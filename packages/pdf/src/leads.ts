import { linkUrl } from "@octavo/html/urls";
import type { Leads } from "./element.js";

/** An address as a PDF may lead to it: whole, for a PDF lies nowhere that a relative one could start from. */
export function outside(href: string): Leads | undefined {
  const url = linkUrl(href);
  if (url === undefined || !/^(?:https?:\/\/|mailto:|tel:)/i.test(url)) return undefined;
  try {
    return { to: new URL(url).href };
  } catch {
    return undefined;
  }
}
