import { execFileSync } from "node:child_process";
import { readdir, symlink } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest } from "./testing.js";

// Repositories whose content is hostile or unusual, and hosts that are.

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { repositoryOf, emptyRepository, serving, run, send, edit, close } = gitTest(t);
afterAll(async () => {
  await close();
  await t.drop();
});

interface Shown {
  id: string;
  type: string;
  title: string;
  pages?: Shown[];
}
const flatten = (pages: Shown[]): Shown[] => pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
const pagesOf = async (spaceId: string) =>
  flatten((await admin.content.pages({ spaceId })).pages as unknown as Shown[]);

const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
const BOMB = ["a0: &a0 [lol]", ...levels].join("\n");
const MARKUP = '#set page(fill: red) = Title $x$ <script>alert(1)</script> {% raw %} "#eval" @ref \\';

const unusual: Record<string, string> = {
  "README.md": "\uFEFF# Marked\r\n\r\n[there](<(x) [y].md>)\r\n",
  "a b.md": "# Space\r\n\r\nLines of another system.\r\n",
  "(x) [y].md": "# Brackets\n",
  "caf\u00e9.md": "# Composed\n",
  "cafe\u0301.md": "# Decomposed\n",
  "#x?%20&.md": "# Signs\n",
  "\u65e5\u672c\u8a9e/\u05e9\u05dc\u05d5\u05dd.md": "# Scripts\n",
  "bomb.md": `---\n${BOMB}\n---\n\n# Bomb\n`,
  "self.md": '# Self\n\n{% include ".gitbook/includes/one.md" %}\n\n![](self.md)\n',
  ".gitbook/includes/one.md": 'One\n\n{% include "two.md" %}\n',
  ".gitbook/includes/two.md": 'Two\n\n{% include "one.md" %}\n',
  "markup.md": `# ${MARKUP}\n\n| ${MARKUP} |\n| --- |\n| ${MARKUP} |\n`,
  "control.md": "# Bell \u0007 and escape \u001b\n",
  "-rf.md": "# Option\n",
  "$(id).md": "# Shell\n",
};

test("names and texts of every kind come in, can be read, and go out again as the identical bytes", async () => {
  const server = await repositoryOf(unusual);
  const spaceId = await t.space();
  expect(await run(spaceId, server.url)).toMatchObject({ state: "success" });
  const pages = await pagesOf(spaceId);
  const titles = pages.map(({ title }) => title);
  for (const title of ["Marked", "Space", "Brackets", "Composed", "Decomposed", "Signs", "Scripts", "Option"])
    expect(titles).toContain(title);
  const texts = pages.filter(({ type }) => type === "document");
  expect(texts.length).toBeGreaterThanOrEqual(Object.keys(unusual).length - 2);
  for (const { id: pageId } of texts)
    for (const format of ["document", "markdown"] as const)
      expect(await admin.content.page({ spaceId, pageId, format })).toBeDefined();
  const empty = await emptyRepository();
  expect(await send(spaceId, empty.url)).toMatchObject({ state: "success" });
  const listed = (folder: string) =>
    execFileSync("git", ["ls-tree", "-r", "-z", "HEAD"], { cwd: folder })
      .toString()
      .split("\0")
      .filter((line) => line !== "" && !line.endsWith("\tSUMMARY.md"));
  expect(listed(empty.folder)).toEqual(listed(server.folder));
  const again = await t.space();
  expect(await run(again, empty.url)).toMatchObject({ state: "success" });
  expect((await pagesOf(again)).map(({ title }) => title)).toEqual(titles);
});

test("settings, variables and tables of contents that multiply by aliases end with a reason, and change nothing", async () => {
  for (const [files, error] of [
    [{ ".gitbook.yaml": `root: *a12\n${BOMB}\n` }, ".gitbook.yaml"],
    [{ ".gitbook.yaml": `${BOMB}\nroot: *a12\n` }, ".gitbook.yaml"],
    [{ "SUMMARY.md": `# Contents\n\n* [Up](../../etc/passwd.md)\n` }, "SUMMARY.md"],
  ] as const) {
    const server = await repositoryOf({ "README.md": "# Home\n", ...files });
    const spaceId = await t.space();
    expect(await run(spaceId, server.url)).toMatchObject({
      state: "failure",
      error: expect.stringContaining(error),
    });
    expect(await pagesOf(spaceId)).toEqual([]);
  }
  const server = await repositoryOf({ "README.md": "# Home\n", ".gitbook/vars.yaml": `${BOMB}\nname: x\n` });
  const spaceId = await t.space();
  const operation = await run(spaceId, server.url);
  expect(operation).toMatchObject({ state: "success", skipped: [{ reason: "variable" }] });
});

test("links out of the repository, in a circle and to folders are left out, and named", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n\n![](secret.png)\n" });
  const place = (name: string) => join(server.folder, name);
  await symlink("/etc/passwd", place("secret.png"));
  await symlink("circle.md", place("circle.md"));
  await symlink(".", place("folder"));
  await symlink("../../../../etc", place("etc"));
  await server.commit("Link");
  const spaceId = await t.space();
  const operation = await run(spaceId, server.url);
  expect(operation).toMatchObject({ state: "success", skipped: [{ reason: "symlink", count: 4 }] });
  expect((await pagesOf(spaceId)).map(({ title }) => title)).toEqual(["Home"]);
  expect((await admin.content.files({ spaceId })).items).toEqual([]);
});

test("a repository of 100,000 files that are no pages is imported", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const files = Array.from({ length: 100_000 }, (_, at) => `M 100644 :1 many/${at % 100}/${at}.txt\n`).join(
    "",
  );
  const commit = "commit refs/heads/files\ncommitter A <a@example.com> 0 +0000\ndata 0\n";
  execFileSync("git", ["fast-import", "--quiet"], {
    cwd: server.folder,
    input: `blob\nmark :1\ndata 7\n# Home\n\n${commit}M 100644 :1 README.md\n${files}\n`,
  });
  const spaceId = await t.space();
  expect(await run(spaceId, server.url, { ref: "refs/heads/files" })).toMatchObject({ state: "success" });
  expect((await pagesOf(spaceId)).map(({ title }) => title)).toEqual(["Home"]);
});

const REFS = "application/x-git-upload-pack-advertisement";
const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;

test("a host whose list of refs has no end is not read to the end of memory, and leaves no clone", async () => {
  let sent = 0;
  const url = await serving((_, res) => {
    res.writeHead(200, { "content-type": REFS });
    res.write(`${packet("# service=git-upload-pack\n")}0000`);
    let at = 0;
    const pump = () => {
      for (let more = true; more && !res.destroyed; ) {
        const lines = Array.from({ length: 1000 }, () => {
          at += 1;
          const oid = at.toString(16).padStart(40, "0");
          return packet(`${oid} refs/heads/branch-${at}${at === 1 ? "\0shallow agent=test" : ""}\n`);
        }).join("");
        sent += lines.length;
        more = res.write(lines);
      }
    };
    res.on("drain", pump);
    pump();
  });
  const spaceId = await t.space();
  expect(await run(spaceId, url)).toMatchObject({
    state: "failure",
    error: "The repository takes too much memory to be read",
  });
  expect(sent).toBeGreaterThan(1_000_000);
  expect(await pagesOf(spaceId)).toEqual([]);
  expect((await readdir(t.ctx.workFolder)).filter((name) => name !== "kept")).toEqual([]);
});

test.each<[string, RequestListener]>([
  ["a picture", (_, res) => void res.writeHead(200, { "content-type": "image/png" }).end("\x89PNG")],
  ["a list of refs that breaks off", (_, res) => void res.writeHead(200, { "content-type": REFS }).end("00")],
  [
    "a list of refs that is none",
    (_, res) => void res.writeHead(200, { "content-type": REFS }).end("ffff".repeat(20_000)),
  ],
  ["a failure", (_, res) => void res.writeHead(500).end()],
  [
    "a redirect to a private address",
    (_, res) => void res.writeHead(302, { location: "http://10.0.0.1/x.git" }).end(),
  ],
  [
    "a commit that it does not have",
    (req, res) => {
      if (req.method === "POST") return void res.writeHead(200).end("0008NAK\nPACK and no more");
      res.writeHead(200, { "content-type": REFS });
      const refs = packet(`${"1".repeat(40)} refs/heads/main\0shallow agent=test\n`);
      res.end(`${packet("# service=git-upload-pack\n")}0000${refs}0000`);
    },
  ],
])("a host that responds with %s is a failure with a reason, and changes nothing", async (_, listener) => {
  const spaceId = await t.space();
  const operation = await run(spaceId, await serving(listener));
  expect(operation).toMatchObject({
    state: "failure",
    error: expect.stringMatching(/^(?!.*unexpected)[A-Z]/),
  });
  expect(await pagesOf(spaceId)).toEqual([]);
  expect((await readdir(t.ctx.workFolder)).filter((name) => name !== "kept")).toEqual([]);
});

test("what is hostile in a space that goes out stays a text in the table of contents and in names of files", async () => {
  const spaceId = await t.space();
  const titles = [
    "../../etc/passwd",
    "](x.md) [y",
    "-rf",
    ".git/hooks/pre-push",
    "CON",
    "a\u0000b",
    "x".repeat(60),
    MARKUP,
  ];
  const changes = titles.map((title) => ({
    operation: "insert_page" as const,
    title: title.replaceAll("\u0000", ""),
    document: { markdown: "Words\n" },
  }));
  await edit(spaceId, changes);
  const server = await emptyRepository();
  expect(await send(spaceId, server.url)).toMatchObject({ state: "success" });
  const paths = execFileSync("git", ["ls-tree", "-r", "-z", "--name-only", "HEAD"], { cwd: server.folder })
    .toString()
    .split("\0")
    .filter((path) => path !== "");
  expect(paths).toHaveLength(titles.length + 1);
  for (const path of paths)
    expect(path).toMatch(/^(?!\.git\/)(?!.*\.\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\.md$/);
  const again = await t.space();
  expect(await run(again, server.url)).toMatchObject({ state: "success", skipped: undefined });
  const before = (await pagesOf(spaceId)).map(({ title }) => title);
  expect((await pagesOf(again)).map(({ title }) => title)).toEqual(before);
});
