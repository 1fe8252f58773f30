import { eventually } from "../../tests/harness/client.js";
import type { Lab } from "./lab.js";
import { readPages, type SourcePage, type Written, writeSpace } from "./site.js";

/** A space that a site shows. */
export interface Part {
  /** The section that it is in; several spaces of one are its variants. */
  section: string;
  /** Its address, with a slash at its end. */
  address: string;
  pages: SourcePage[];
}

/** A site of two sections, the first of them in two languages. */
export interface Sectioned {
  /** Its path in the API. */
  path: string;
  address: string;
  /** The space at the address of the site is the first one. */
  parts: Part[];
}

const UPDATE =
  '{% updates format="full" %}\n{% update date="2026-01-31" %}\n## Slower\n\nHalf as fast.\n{% endupdate %}\n{% endupdates %}';

const SPACES: [string, Written][] = [
  [
    "Guides",
    {
      title: "Guides",
      language: "en",
      pages: [
        { title: "Start", slug: "start", markdown: `Hello, [there](https://a.example/).\n\n${UPDATE}` },
        {
          title: "Set up",
          slug: "set-up",
          markdown: "## Steps\n\n`run` it.\n\n| a | b |\n| - | - |\n| 1 | 2 |",
        },
      ],
    },
  ],
  [
    "Guides",
    {
      title: "العربية",
      language: "ar",
      pages: [
        { title: "بداية", slug: "start", markdown: "مرحبا" },
        { title: "إعداد", slug: "set-up", markdown: "## خطوات\n\nنص مع `code`." },
      ],
    },
  ],
  [
    "Reference",
    {
      title: "Reference",
      language: "en",
      pages: [
        { title: "Overview", slug: "overview", markdown: "All commands." },
        { title: "Commands", slug: "commands", markdown: "One word: numbat.\n\n## Options\n\nNone." },
      ],
    },
  ],
];

/** Publishes a site of two sections, the first of them in two languages. */
export async function publishSectioned(
  { call, make, organization }: Pick<Lab, "call" | "make" | "organization">,
  title: string,
): Promise<Sectioned> {
  const written: string[] = [];
  for (const [, space] of SPACES) written.push(await writeSpace({ make, organization }, space));
  const [guides, arabic, reference] = written;
  const { id } = await make("POST", `/orgs/${organization}/sites`, { title, spaces: [guides] });
  const path = `/orgs/${organization}/sites/${id}`;
  await make("POST", `${path}/sections`, { spaceId: reference, title: "Reference" });
  const sections = await make<{ items: { id: string; default: boolean }[] }>("GET", `${path}/sections`);
  const sectionId = sections.items.find((one) => one.default)!.id;
  await make("POST", `${path}/site-spaces`, { spaceId: arabic, sectionId });
  await make("POST", `${path}/publish`);
  type Item = { space: { id: string }; urls: { published: string } };
  const { items } = await make<{ items: Item[] }>("GET", `${path}/site-spaces`);
  const parts: Part[] = [];
  for (const [at, [section]] of SPACES.entries()) {
    const address = items.find(({ space }) => space.id === written[at])!.urls.published;
    await eventually(async () => (await fetch(address)).status === 200, 30_000);
    parts.push({ section, address, pages: await readPages(call, written[at]!, address) });
  }
  const read = await make<{ urls: { published: string } }>("GET", path);
  return { path, address: read.urls.published, parts };
}
