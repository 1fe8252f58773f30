import { posix } from "node:path";
import { readVariables, type Variables, writeVariables } from "@octavo/markdown/navigation/variables";
import { entriesOfKind } from "../../store/entries.js";
import type { Ctx } from "../../trpc.js";
import { joinPath, SETTINGS, type Surroundings, settingsIn, VARIABLES } from "../surroundings.js";
import type { Branch } from "./branch.js";
import type { FileChange } from "./commit.js";
import { type Span, splitPages, stillThere, type Written, writtenSince } from "./entries.js";
import { filesOf } from "./files.js";
import { nameFiles } from "./names.js";
import { outlineOf } from "./outline.js";
import { unsafeFiles } from "./unsafe.js";

/** What an export writes, and what the space knows after it. */
export interface Plan {
  files: AsyncIterable<FileChange>;
  /** The paths of files that are new, by the ids of their entries. */
  named: Map<string, string>;
  /** What lies around the pages afterwards. */
  surroundings: Surroundings;
  /** The names of files that can be run, and are not on the branch yet. */
  unsafe: string[];
}

/** Plans what a branch needs to hold a version of the space. `known` is what lay around the pages when both were the same. */
export async function planExport(
  ctx: Ctx,
  span: Span,
  { branch, known, directory }: { branch: Branch; known: Surroundings; directory: string },
): Promise<Plan> {
  const { version, since } = span;
  const written = await writtenSince(ctx, span);
  const there = await branch.surroundings();
  const settings = there.settings ?? known.settings;
  const { root, ...layout } = settingsIn({ settings });
  const folder = joinPath(directory, root);
  const split = await splitPages(ctx, version, written.entries);
  const unnamed = [...written.entries.filter(({ git_path }) => git_path === null), ...split];
  const taken = (paths: string[]) => (since === undefined ? none() : branch.filesAmong(folder, paths));
  const named = await nameFiles(ctx, unnamed, { version, settings: { root, ...layout }, taken });
  const variables = await variablesFor(ctx, span, { written, texts: [there.variables, known.variables] });
  const summary =
    written.outline || named.size > 0
      ? await ctx.work.run("tableOfContents", {
          pages: await outlineOf(ctx, version, named),
          settings: { root, ...layout },
          texts: [there.summary, known.summary],
          canInfer: since !== undefined && there.summary === undefined,
        })
      : there.summary;
  const around: Surroundings = { settings, summary, variables };
  const files = (async function* () {
    yield* await leftFiles(ctx, span, { written, named, folder, branch });
    yield* filesOf(ctx, version.space, { entries: written.entries, named, split, folder, branch });
    yield* changed(joinPath(directory, SETTINGS), there.settings, around.settings);
    yield* changed(posix.join(folder, layout.summary), there.summary, around.summary);
    yield* changed(posix.join(folder, VARIABLES), there.variables, around.variables);
  })();
  const unsafe = await unsafeFiles(written.entries, { folder, branch });
  return { files, named, surroundings: around, unsafe };
}

const none = async () => new Set<string>();

function* changed(path: string, was: string | undefined, is: string | undefined): Generator<FileChange> {
  if (is === was) return;
  yield is === undefined ? { path, removed: true } : { path, text: is };
}

interface Variable {
  written: Written;
  texts: (string | undefined)[];
}

/** The text of the variables: one that is there already while it says the same. */
async function variablesFor(ctx: Ctx, { version }: Span, { written, texts }: Variable) {
  const [there, before] = texts;
  if (!written.variables) return there;
  const entries = await entriesOfKind(ctx, version, "variable");
  const variables: Variables = Object.fromEntries(entries.map(({ title, props }) => [title, props.value]));
  const source = there ?? before;
  if (source === undefined && entries.length === 0) return undefined;
  const { skipped } = readVariables(source ?? "");
  if (entries.length === 0 && skipped.length === 0) return undefined;
  return writeVariables(source, variables);
}

interface Leaving {
  written: Written;
  named: Map<string, string>;
  folder: string;
  branch: Branch;
}

/** The files that go: those of entries that went, and of all it is, what of `.gitbook` no entry has. */
async function leftFiles(ctx: Ctx, { version, since }: Span, { written, named, folder, branch }: Leaving) {
  const besides = new Set(named.keys());
  const own = since === undefined ? await branch.ownFiles(folder) : written.left;
  const kept = await stillThere(ctx, version, { paths: own, besides });
  for (const path of named.values()) kept.add(path);
  return own
    .filter((path) => !kept.has(path))
    .map((path): FileChange => ({ path: posix.join(folder, path), removed: true }));
}
