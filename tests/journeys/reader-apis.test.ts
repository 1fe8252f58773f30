import { expect, test } from "vitest";
import { merge, publishSpace } from "../../scripts/check-reader/site.js";
import { createClient, eventually } from "../harness/client.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

const pet = { $ref: "#/components/schemas/Pet" };
const body = { content: { "application/json": { schema: pet } } };
const document = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  webhooks: { adopted: { post: { requestBody: body, responses: { 204: { description: "Seen" } } } } },
  components: {
    schemas: {
      Pet: { type: "object", properties: { nickname: { type: "string" } } },
      Kind: { type: "string", enum: ["kitten"] },
    },
  },
};
const tagged = (name: string, attributes: string) =>
  `{% openapi-${name} spec="told-pets" ${attributes} %}\n[x](https://a.example/)\n{% endopenapi-${name} %}\n`;

test("a published page shows the schemas and webhooks of a specification that it names", async () => {
  const call = createClient(await sharedStack());
  const make = makerOf(call);
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const source = { text: JSON.stringify(document) };
  await make("POST", `/orgs/${organization}/openapi`, { slug: "told-pets", source });
  await eventually(async () => {
    const path = `/orgs/${organization}/openapi/told-pets`;
    const { body } = await call<{ processingState: string }>("GET", path);
    return body.processingState === "complete";
  }, 30_000);
  const { id: space } = await make("POST", `/orgs/${organization}/spaces`, { title: "Pets", language: "en" });
  const blocks = [
    tagged("schemas", 'schemas="Pet,Kind" grouped="true"'),
    tagged("webhook", 'name="adopted" method="post"'),
  ];
  const markdown = `# Models\n\n${blocks.join("\n")}`;
  await merge({ make, space }, [{ operation: "insert_page", title: "Models", document: { markdown } }]);
  const site = await publishSpace(call, make, { organization, space, title: "Pets" });
  const html = await (await fetch(site.address)).text();
  const [schemas, webhook] = html.split('<article class="api">').slice(1);
  expect(schemas).toContain("<code>nickname</code>");
  expect(schemas).toContain("<code>kitten</code>");
  expect(webhook).toContain("<code>adopted</code>");
  expect(webhook).toContain("<code>nickname</code>");
  expect(html).not.toContain("try.js");
});
