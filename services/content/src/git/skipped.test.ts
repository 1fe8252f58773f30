import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { gitTest } from "./testing.js";

const t = await contentTest();
const admin = t.as({ acme: "admin" });
const { repositoryOf, run, close } = gitTest(t);
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(async () => {
  await close();
  await t.drop();
});

test("git/info lists what an import left out, by reason", async () => {
  const server = await repositoryOf({
    ".gitbook.yaml": "redirects:\n  old/page: README.md\n  gone: nowhere.md\n",
    "SUMMARY.md": `# Contents

Read this first.

* [Home](README.md)
* [Later](later.md)
{% include "more.md" %}
`,
    "README.md": "---\nicon: [a\n---\n\n# Home\n",
    "forgotten.md": "# Forgotten\n",
    "notes/.draft.md": "# Hidden, and left out on purpose\n",
    ".gitbook/vars.yaml": "1st: no\nname: Octavo\n",
    ".gitbook/includes/note.md": "A note.\n",
    ".gitbook/assets/film.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
  });
  await symlink("/etc/passwd", join(server.folder, "secrets.md"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: server.folder }).toString().trim();
  const commit = await server.commit("A link");
  git("update-index", "--add", "--cacheinfo", `160000,${commit},vendor`);
  const oid = git("rev-parse", "HEAD:README.md");
  const latin = Buffer.concat([Buffer.from(`100644 ${oid}\tcaf`), Buffer.from([0xe9]), Buffer.from(".md\0")]);
  execFileSync("git", ["update-index", "-z", "--index-info"], { cwd: server.folder, input: latin });
  const who = ["-c", "user.name=Octavo", "-c", "user.email=octavo@example.com"];
  git(...who, "commit", "--quiet", "-m", "A submodule");
  const spaceId = await t.space();
  expect(await run(spaceId, server.url)).toMatchObject({
    state: "success",
    skipped: [
      { reason: "missing-page", count: 1, paths: ["later.md"] },
      { reason: "include", count: 1, paths: ["SUMMARY.md:7"] },
      { reason: "summary-line", count: 1, paths: ["SUMMARY.md:3"] },
      { reason: "frontmatter", count: 1, paths: [expect.stringMatching(/^README\.md:\d+$/)] },
      { reason: "variable", count: 1, paths: [".gitbook/vars.yaml:1st"] },
      { reason: "redirect", count: 1, paths: ["gone"] },
      { reason: "lfs-pointer", count: 1, paths: [".gitbook/assets/film.bin"] },
      { reason: "symlink", count: 1, paths: ["secrets.md"] },
      { reason: "submodule", count: 1, paths: ["vendor"] },
      { reason: "file-name", count: 1, paths: ["caf\ufffd.md"] },
      { reason: "unlisted-page", count: 1, paths: ["forgotten.md"] },
    ],
  });
  expect((await admin.content.pages({ spaceId })).pages.map(({ title }) => title)).toEqual(["Home", "Later"]);
});

test("an import that skips nothing reports nothing, and one that skips much names the first paths", async () => {
  const server = await repositoryOf({ "README.md": "# Home\n" });
  const spaceId = await t.space();
  expect((await run(spaceId, server.url)).skipped).toBeUndefined();
  const lines = Array.from({ length: 300 }, (_, at) => `* [P](p${String(at).padStart(3, "0")}.md)\n`).join(
    "",
  );
  const much = await repositoryOf({ "README.md": "# Home\n", "SUMMARY.md": `# Contents\n\n${lines}` });
  const { skipped } = await run(spaceId, much.url);
  expect(skipped).toMatchObject([
    { reason: "missing-page", count: 300 },
    { reason: "unlisted-page", count: 1, paths: ["README.md"] },
  ]);
  expect(skipped![0]!.paths).toHaveLength(20);
  expect(skipped![0]!.paths[19]).toBe("p019.md");
});
