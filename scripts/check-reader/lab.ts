import { type Client, eventually } from "../../tests/harness/client.js";
import type { makerOf } from "../../tests/harness/permissions.js";
import { merge, publishSpace, type Site } from "./site.js";

type Make = ReturnType<typeof makerOf>;

/** A site with a page of every kind that the checks need. */
export type Lab = Site;

export const CODE = 'const a = "<b>";\n\tif (a) {\n\n  run(a); // é\n}';
const fence = "```";

const spec = (server: string) => ({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: server }],
  security: [{ bearer: [] }],
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
  paths: {
    "/pets/{id}": {
      put: {
        summary: "Change a pet",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", example: "7" } },
          { name: "mode", in: "query", required: true, schema: { type: "string", enum: ["fast", "slow"] } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { name: { type: "string", example: "Rex" } } },
            },
          },
        },
        responses: { 200: { description: "Changed" } },
      },
    },
  },
});

const pages: { title: string; markdown: string }[] = [
  { title: "Welcome", markdown: "Hello.\n\n## First steps\n\nOne word: platypus.\n\n## Next steps\n\nTwo." },
  {
    title: "Blocks",
    markdown: [
      `{% tabs %}\n{% tab title="A" %}\nOne tab\n{% endtab %}\n\n{% tab title="B" %}\nOther tab\n{% endtab %}\n{% endtabs %}`,
      "<details>\n\n<summary>More</summary>\n\nFolded away\n\n</details>",
      '{% hint style="warning" %}\nCareful\n{% endhint %}',
      `| a | b |\n| --- | --- |\n| ${"wide ".repeat(60)} | ${"x".repeat(200)} |`,
      "$$x^2 + \\sqrt{y}$$",
      `{% code title="a.js" lineNumbers="true" overflow="wrap" %}\n${fence}js\n${CODE}\n${fence}\n{% endcode %}`,
      `${fence}diff\n- old\n+ new\n${fence}`,
    ].join("\n\n"),
  },
  {
    title: "Diagrams",
    markdown: `${fence}mermaid\ngraph LR\n  Start --> Finish\n${fence}\n\n${fence}mermaid\nthis is no diagram at all ((\n${fence}`,
  },
  { title: "Identifiers", markdown: `${fence}ts\nquokkaFactory.createBurrow();\n${fence}` },
  { title: "Chinese", markdown: "## 安裝說明\n\n資料庫管理系統的鴨嘴獸手冊。" },
  // Low blocks, of which more are on a screen than of most.
  {
    title: "Parts",
    markdown: Array.from({ length: 20 }, (_, at) => `A line.\n\n## Part ${at}\n\n* One item`).join("\n\n"),
  },
  {
    title: "Pets",
    markdown:
      '{% openapi-operation spec="lab-pets" path="/pets/{id}" method="put" %}\n[x](https://a.example/)\n{% endopenapi-operation %}',
  },
  {
    title: "Changes",
    markdown:
      '{% updates format="full" %}\n{% update date="2026-01-31" %}\n## Faster\n\nTwice as fast as before.\n{% endupdate %}\n{% endupdates %}',
  },
  {
    title: "All the rest",
    markdown: [
      "{% stepper %}\n{% step %}\n## Dig\n\nDeep.\n{% endstep %}\n\n{% step %}\n## Rest\n{% endstep %}\n{% endstepper %}",
      '<a href="https://a.example/" class="button primary">Begin</a>',
      "{% columns %}\n{% column %}\nLeft\n{% endcolumn %}\n\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}",
      `<table data-view="cards"><thead><tr><th></th></tr></thead><tbody><tr><td>A card</td></tr></tbody></table>`,
      '{% updates format="full" %}\n{% update date="2026-01-31" tags="beta" %}\nNews.\n{% endupdate %}\n{% endupdates %}',
      `{% prompt description="Explain burrows" %}\n${fence}markdown\nWhy are they wet?\n${fence}\n{% endprompt %}`,
      '{% embed url="https://a.example/film" %}\nA film\n{% endembed %}',
      "So $$e^x$$ is said.[^1]\n\n[^1]: By many.",
    ].join("\n\n"),
  },
];

const inserted = ({ title, markdown }: (typeof pages)[number]) => ({
  operation: "insert_page",
  title,
  document: { markdown: `# ${title}\n\n${markdown}\n` },
});

/** Writes the site of the checks. `server` is where its API is said to be. */
export async function writeLab(call: Client, make: Make, server: string): Promise<Lab> {
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const source = { text: JSON.stringify(spec(server)) };
  await make("POST", `/orgs/${organization}/openapi`, { slug: "lab-pets", source });
  await eventually(async () => {
    const { body } = await call<{ processingState: string }>("GET", `/orgs/${organization}/openapi/lab-pets`);
    return body.processingState === "complete";
  }, 30_000);
  const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Laboratory", language: "en" }))
    .id;
  await merge({ make, space }, pages.map(inserted));
  return publishSpace(call, make, { organization, space, title: "Laboratory" });
}
