import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";

const sentence = (page: number, at: number) =>
  `Sentence ${at} of page ${page} says what a reader of chapter ${page % 41} may want to know about item ${(page * 31 + at * 7) % 997}.`;

/** A page of about `bytes` bytes, with what documentation is made of; no two pages are alike. */
function pageText(page: number, bytes: number): string {
  const parts = [`# Page ${page}\n`];
  for (let at = 0, length = 0; length < bytes; at++) {
    const part =
      at % 7 === 3
        ? `## Section ${at}\n`
        : at % 7 === 5
          ? `| Name | Value |\n| --- | --- |\n| item ${page} | ${at} |\n| other | ${sentence(page, at)} |\n`
          : at % 7 === 6
            ? `\`\`\`sql\nselect ${at} from page where id = ${page};\n\`\`\`\n`
            : `${[1, 2, 3, 4].map((more) => sentence(page, at * 10 + more)).join(" ")}\n`;
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join("\n");
}

/** Writes a repository with a SUMMARY.md to a temporary folder: chapters of 20 pages below each other. */
export function generateRepository({ pages, bytes }: { pages: number; bytes: number }): string {
  const folder = mkdtempSync(join(tmpdir(), "octavo-bench-"));
  const summary = ["# Table of contents", "", "* [Start](README.md)"];
  writeFileSync(join(folder, "README.md"), "# Start\n\nA generated corpus.\n");
  for (let page = 1; page < pages; page++) {
    const chapter = `chapter-${Math.floor(page / 20)}`;
    const isFirst = page % 20 === 0 || page === 1;
    if (isFirst) mkdirSync(join(folder, chapter));
    const path = isFirst ? `${chapter}/README.md` : `${chapter}/page-${page}.md`;
    writeFileSync(join(folder, path), pageText(page, bytes));
    summary.push(`${isFirst ? "" : "  "}* [Page ${page}](${path})`);
  }
  writeFileSync(join(folder, "SUMMARY.md"), `${summary.join("\n")}\n`);
  return folder;
}

/** Ten copies of a documentation folder as one, its table of contents ten times below each other. */
export function tenfold(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "octavo-bench-"));
  const lines = readFileSync(join(source, "SUMMARY.md"), "utf8").split("\n");
  const summary = ["# Table of contents", ""];
  for (let copy = 0; copy < 10; copy++) {
    cpSync(source, join(folder, `copy-${copy}`), { recursive: true });
    summary.push(`## Copy ${copy}`, "");
    for (const line of lines) {
      if (/^\s*[*-] /.test(line)) summary.push(line.replace(/\]\((?!https?:)(<?)/, `]($1copy-${copy}/`));
    }
    summary.push("");
  }
  writeFileSync(join(folder, "SUMMARY.md"), `${summary.join("\n")}\n`);
  return folder;
}

/** Serves a copy of a folder as a repository that is packed, as those of hosting services are: they send what they have. */
export async function servePacked(folder: string): Promise<GitServer> {
  const repository = await serveRepository(folder);
  await promisify(execFile)("git", ["repack", "-adq"], { cwd: repository.folder });
  return repository;
}

export const discard = (folder: string) => rmSync(folder, { recursive: true, force: true });
