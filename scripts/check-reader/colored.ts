import { eventually } from "../../tests/harness/client.js";
import { textAt } from "./check.js";
import type { Lab } from "./lab.js";
import { publishSectioned } from "./sectioned.js";

const always = (color: string) => ({ light: color, dark: color });

/** Colors that nobody could read as they are: white links on orange, and links that are nearly white. */
const PRIMARY = always("#ffe680");
const HEADER = {
  preset: "custom",
  backgroundColor: always("#ff8800"),
  linkColor: always("#ffffff"),
  links: [{ title: "Elsewhere", to: { kind: "url", url: "https://a.example/" }, links: [] }],
};

/** What a site shows that is no page of its content: results of a search, a page that is not found, and a print. */
export const specialPages = (address: string): string[] =>
  ["~octavo/search?q=one", "nowhere/at-all", "~octavo/print"].map((path) => address + path);

/** Publishes a site of sections and variants in harsh colors; the addresses of a page of each space, and of what is none. */
export async function publishColored(lab: Pick<Lab, "call" | "make" | "organization">): Promise<string[]> {
  const { make } = lab;
  const { path, address, parts } = await publishSectioned(lab, "Colored");
  const { styling, ...look } = await make<{ styling: object }>("GET", `${path}/customization`);
  // The theme whose paper has the most color in it.
  const theme = { theme: "gradient", background: "match", tint: { color: PRIMARY } };
  const colored = { ...look, styling: { ...styling, ...theme, primaryColor: PRIMARY }, header: HEADER };
  await make("PUT", `${path}/customization`, colored);
  await eventually(async () => (await textAt(address)).includes("Elsewhere"), 10_000);
  return [...parts.map(({ pages }) => pages.at(-1)!.url), ...specialPages(address)];
}
