import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { eventually } from "../tests/harness/client.js";
import { HANDBOOK } from "../tests/harness/furnish.js";
import type { Attack, Target, Trial } from "./attack.js";
import { isRefused } from "./attack.js";

const ENDS_WITHIN_MS = 45_000;

/** Repositories that are larger than they look, and addresses that git would take for something else. */
export const repositories: Attack = {
  name: "repositories",
  claim: "every import ends by itself, and the next one of somebody else succeeds",
  async run(target, trial) {
    const repository = await serveRepository(HANDBOOK);
    try {
      const trees = Object.entries(HOSTILE_TREES);
      for (const [what, build] of target.full ? trees : trees.slice(0, 3)) {
        await build(repository);
        await importInto(target, trial, what, repository.url, `refs/heads/${branchOf(what)}`, [
          "success",
          "failure",
        ]);
      }
      await refuseAddresses(target, trial);
      await importInto(target, trial, "the handbook", repository.url, "refs/heads/main", ["success"]);
    } finally {
      await repository.close();
    }
  },
};

const branchOf = (what: string) => what.replaceAll(/\W+/g, "-");

/** Each writes a branch of its name. */
const HOSTILE_TREES: Record<string, (repository: GitServer) => Promise<void>> = {
  "ten thousand million paths": (repository) => shared(repository, "ten thousand million paths", 10, 10),
  "paths of a thousand folders": (repository) => deepPath(repository, "paths of a thousand folders", 1_000),
  "links in a circle": async (repository) => {
    const link = await blob(repository, "SUMMARY.md");
    const tree = await treeOf(repository, [
      `120000 blob ${link}\tSUMMARY.md`,
      `120000 blob ${link}\tREADME.md`,
    ]);
    await branch(repository, "links in a circle", tree);
  },
  "a table of contents that names one page often": async (repository) => {
    const page = await blob(repository, "# Page\n\nWords.\n");
    const summary = await blob(repository, `# Contents\n\n${"* [Page](page.md)\n".repeat(20_000)}`);
    const tree = await treeOf(repository, [
      `100644 blob ${page}\tpage.md`,
      `100644 blob ${summary}\tSUMMARY.md`,
    ]);
    await branch(repository, "a table of contents that names one page often", tree);
  },
  "one blob under many names": async (repository) => {
    const large = await blob(repository, "words ".repeat(200_000));
    const names = Array.from({ length: 2_000 }, (_, n) => `100644 blob ${large}\tpage-${n}.md`);
    await branch(repository, "one blob under many names", await treeOf(repository, names));
  },
};

/** Trees that contain the one below so many times: `width` to the power of `depth` paths in `depth` objects. */
async function shared(repository: GitServer, what: string, depth: number, width: number) {
  const page = await blob(repository, "# Page\n");
  const entries = (kind: string, id: string, suffix = "") =>
    Array.from({ length: width }, (_, n) => `${kind} ${id}\td${n}${suffix}`);
  let tree = await treeOf(repository, entries("100644 blob", page, ".md"));
  for (let level = 1; level < depth; level++) tree = await treeOf(repository, entries("040000 tree", tree));
  await branch(repository, what, tree);
}

/** One page below so many folders, written by one process of git: a process for each tree took most of the attack. */
async function deepPath(repository: GitServer, what: string, depth: number) {
  const lines = [
    `commit refs/heads/${branchOf(what)}`,
    "committer Attack <attack@example.com> 0 +0000",
    "data 0",
    `M 100644 inline ${"d0/".repeat(depth - 1)}d0.md`,
    "data <<END",
    "# Page",
    "END",
  ];
  await git(repository, `${lines.join("\n")}\n`, "fast-import", "--quiet");
}

async function importInto(
  target: Target,
  trial: Trial,
  what: string,
  url: string,
  ref: string,
  ends: string[],
) {
  const { call, things } = target.attacker;
  const spaces = `/orgs/${things.organizationId}/spaces`;
  const space = (await call<{ id: string }>("POST", spaces, {})).body.id;
  const wanted = { url, ref };
  await trial.expect(
    what,
    call("POST", `/spaces/${space}/git/import`, wanted),
    ({ status }) => status === 204,
  );
  const state = async () => {
    const { body } = await call<{ operation?: { state: string } }>("GET", `/spaces/${space}/git/info`);
    return body.operation?.state === "running" ? undefined : body.operation?.state;
  };
  const ended = await eventually(state, ENDS_WITHIN_MS).catch(() => "no end");
  if (!ends.includes(ended)) trial.fail(`${what}: the import came to ${ended}`);
}

/** What git, ssh or a shell would read as an option, a command or another protocol. */
const ADDRESSES = [
  "http://-oProxyCommand=id/x.git",
  "http://+example/x.git",
  "http://-/x.git",
  "http://--upload-pack=id/x.git",
  "https://-u/x.git",
  "ext::sh -c id",
  "file:///etc",
  "ssh://-oProxyCommand=id/x",
  "http://127.0.0.1:1\n/x.git",
  "http://user:pass\r\nword@127.0.0.1:1/x.git",
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:169.254.169.254]/x.git",
  "http://0x7f000001:1/x.git",
];

/** A wrong address is refused at once, or as the end of its import; none of them succeeds. */
async function refuseAddresses({ attacker: { call, things }, full }: Target, trial: Trial) {
  for (const url of full ? ADDRESSES : ADDRESSES.slice(0, 6)) {
    const space = (await call<{ id: string }>("POST", `/orgs/${things.organizationId}/spaces`, {})).body.id;
    const asked = call("POST", `/spaces/${space}/git/import`, { url, ref: "refs/heads/main" });
    const response = await trial.expect(JSON.stringify(url), asked);
    if (!response || isRefused(response)) continue;
    const ended = await eventually(async () => {
      const { body } = await call<{ operation: { state: string } }>("GET", `/spaces/${space}/git/info`);
      return body.operation.state !== "running" && body.operation.state;
    }, ENDS_WITHIN_MS).catch(() => "no end");
    if (ended !== "failure") trial.fail(`${JSON.stringify(url)}: the import came to ${ended}`);
  }
}

async function git(repository: GitServer, input: string, ...args: string[]): Promise<string> {
  const author = ["-c", "user.name=Attack", "-c", "user.email=attack@example.com"];
  const running = promisify(execFile)("git", [...author, ...args], { cwd: repository.folder });
  // It may end before it has read what it has no use for.
  running.child.stdin?.on("error", () => undefined).end(input);
  return (await running).stdout.trim();
}

const blob = (repository: GitServer, text: string) => git(repository, text, "hash-object", "-w", "--stdin");
const treeOf = (repository: GitServer, entries: string[]) =>
  git(repository, `${entries.join("\n")}\n`, "mktree");
async function branch(repository: GitServer, what: string, tree: string) {
  const commit = await git(repository, "", "commit-tree", tree, "-m", what);
  await git(repository, "", "update-ref", `refs/heads/${branchOf(what)}`, commit);
}
