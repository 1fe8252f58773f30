import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { PLAIN_PAGE } from "@octavo/html/page";
import { renderOperation } from "@octavo/html/render";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserPath, startBrowser } from "./harness/browser.js";

// What the form of an operation sends, where this machine has a browser.

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("@octavo/html/assets/try.js"));

if (browserPath) describeForms();
else
  test("no browser is on this machine, so no form of an operation is sent: set OCTAVO_CHROMIUM to one", () => {
    expect(browserPath).toBeUndefined();
  });

interface Sent {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

function describeForms() {
  let browser: Browser;
  let origin: string;
  let html = "";
  let sent: Sent | undefined;
  const server = createServer(async (req, res) => {
    const { method = "", url = "", headers } = req;
    if (url === "/try.js") return res.setHeader("content-type", "text/javascript").end(SCRIPT);
    if (url === "/") return res.setHeader("content-type", "text/html; charset=utf-8").end(html);
    if (url.startsWith("/api")) sent = { method, url, headers, body: await text(req) };
    res.end("{}");
  });

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  /** Draws an operation, fills in its form and sends it; with the sample that is shown then. */
  async function tried(operation: object, references: object, fill: (page: Page) => Promise<void>) {
    const drawn = { servers: [`${origin}/api`], operation, references } as Parameters<
      typeof renderOperation
    >[0];
    const article = renderOperation(drawn, { method: "post", path: "/pets" }, PLAIN_PAGE);
    html = `<!doctype html><title>Pets</title>${article}<script type="module" src="/try.js"></script>`;
    sent = undefined;
    const page = await browser.newPage();
    await page.goto(origin);
    await page.locator("[data-trial] summary").click();
    await fill(page);
    await page.locator("[data-trial] button[type=submit]").click();
    await page.locator("[data-trial] output b", { hasText: "200" }).waitFor();
    const sample = (await page.locator("[data-sample]").textContent()) ?? "";
    await page.close();
    return { ...(sent as Sent | undefined), sample };
  }

  const form = (type: string, properties: object) => ({
    requestBody: { content: { [type]: { schema: { type: "object", properties } } } },
  });
  const name = { type: "string", example: "Rex" };

  test("a form with files is sent in parts, with the boundary that the browser chose", async () => {
    const photo = { type: "string", format: "binary" };
    const { headers, body, sample } = await tried(
      form("multipart/form-data", { name, photo, note: { type: "string" } }),
      {},
      async (page) => {
        const file = { name: "rex.png", mimeType: "image/png", buffer: Buffer.from("PNG!") };
        await page.locator("[data-name=photo]").setInputFiles(file);
        await page.locator("[data-name=note]").fill("@home");
      },
    );
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers?.["content-type"] ?? "")?.[1];
    expect(boundary).toBeDefined();
    const parts = body!.split(`--${boundary}`).map((part) => part.replaceAll("\r\n", "|"));
    expect(parts.slice(1, -1)).toEqual([
      '|Content-Disposition: form-data; name="name"||Rex|',
      '|Content-Disposition: form-data; name="photo"; filename="rex.png"|Content-Type: image/png||PNG!|',
      '|Content-Disposition: form-data; name="note"||@home|',
    ]);
    for (const line of ["-F 'name=Rex'", "-F 'photo=@rex.png'", "--form-string 'note=@home'"])
      expect(sample).toContain(line);
    expect(sample).not.toContain("Content-Type");
  });

  test("a form without files is sent as its media type says", async () => {
    const { headers, body, sample } = await tried(
      form("application/x-www-form-urlencoded", { name, "a=b": { type: "string" } }),
      {},
      (page) => page.locator('[data-name="a=b"]').fill("1 & 2"),
    );
    expect(headers?.["content-type"]).toMatch(/^application\/x-www-form-urlencoded\b/);
    expect(body).toBe("name=Rex&a%3Db=1+%26+2");
    for (const line of ["--data-urlencode 'name=Rex'", "--data-urlencode 'a%3Db=1 & 2'"])
      expect(sample).toContain(line);
  });

  test("secrets are sent as their schemes say, kept on the page, and not in the sample", async () => {
    const security = [{ login: [], key: [], param: [] }];
    const references = {
      "#/components/securitySchemes/login": { type: "http", scheme: "basic" },
      "#/components/securitySchemes/key": { type: "apiKey", in: "header", name: "X-Key" },
      "#/components/securitySchemes/param": { type: "apiKey", in: "query", name: "key" },
    };
    const { headers, url, sample } = await tried({ security }, references, async (page) => {
      await page.locator('[data-token^="login "]').fill("mé:pässword");
      await page.locator("[data-name=X-Key]").fill(" secret-1 ");
      await page.locator("[data-name=key]").fill("secret-2");
    });
    expect(headers?.authorization).toBe(`Basic ${Buffer.from("mé:pässword").toString("base64")}`);
    expect(headers?.["x-key"]).toBe("secret-1");
    expect(url).toBe("/api/pets?key=secret-2");
    expect(sample).toContain(
      `/api/pets?key='"$API_KEY_2" \\\n  -u "$USERNAME:$PASSWORD" \\\n  -H "X-Key: $API_KEY"`,
    );
    expect(sample).not.toMatch(/secret-|pässword/);
  });

  test("a secret is typed once for the forms of one server, and goes to no other", async () => {
    const references = { "#/components/securitySchemes/bearer": { type: "http", scheme: "bearer" } };
    const drawn = (server: string) => {
      const shown = { servers: [server], operation: { security: [{ bearer: [] }] }, references };
      return renderOperation(shown, { method: "get", path: "/" }, PLAIN_PAGE);
    };
    const articles = [`${origin}/api`, `${origin}/api`, "https://other.example"].map(drawn).join("");
    html = `<!doctype html><title>Pets</title>${articles}<script type="module" src="/try.js"></script>`;
    const page = await browser.newPage();
    await page.goto(origin);
    await page.locator("[data-trial] summary").first().click();
    await page.locator("[data-token]").first().fill("secret");
    const values = await page
      .locator("[data-token]")
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(values).toEqual(["secret", "secret", ""]);
    await page.close();
  });
}
