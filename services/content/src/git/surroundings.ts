import { readSettings, type Settings } from "@octavo/markdown/navigation/settings";
import type { GitInfo } from "../db/tables/spaces.js";
import type { RepositoryFile } from "./objects.js";
import type { SyncRequest } from "./schema.js";
import type { State } from "./state.js";

/** The files around the pages, by their texts; undefined where there is none. */
export interface Surroundings {
  settings?: string;
  summary?: string;
  variables?: string;
}

export const SETTINGS = ".gitbook.yaml";
export const VARIABLES = ".gitbook/vars.yaml";

/** Where a content root is read: files of the project directory, and of the root inside it. */
export interface Root {
  file(folder: string, path: string): Promise<RepositoryFile | undefined>;
  textOf(file: RepositoryFile): Promise<string>;
}

/** Reads the files around the pages of a project directory. Throws SettingsError. */
export async function surroundingsAt(root: Root, directory: string): Promise<Surroundings> {
  const read = async (folder: string, path: string) => {
    const file = await root.file(folder, path);
    return file && root.textOf(file);
  };
  const settings = await read(directory, SETTINGS);
  const { root: folder, summary } = readSettings(settings);
  const at = joinPath(directory, folder);
  return { settings, summary: await read(at, summary), variables: await read(at, VARIABLES) };
}

/** As they were when the space and the branch were the same. */
export const surroundingsIn = (state: State | undefined): Surroundings => ({
  settings: state?.settings ?? undefined,
  summary: state?.summary ?? undefined,
  variables: state?.variables ?? undefined,
});

/** As they are kept with the state. */
export const keptSurroundings = ({ settings, summary, variables }: Surroundings) => ({
  settings: settings ?? null,
  summary: summary ?? null,
  variables: variables ?? null,
});

/** A path of parts that may be empty. */
export const joinPath = (...parts: string[]) => parts.filter(Boolean).join("/").replace(/\/+$/, "");

/** The settings that a text says. Throws SettingsError. */
export const settingsIn = ({ settings }: Surroundings): Settings => readSettings(settings);

/** Where the host of a repository shows the files around the content; undefined when nobody said. Throws SettingsError. */
export function treeOf(
  { repoTreeURL, repoProjectDirectory: directory = "" }: SyncRequest,
  surroundings: Surroundings,
): GitInfo["tree"] {
  if (repoTreeURL === undefined) return undefined;
  const { origin, pathname } = new URL(repoTreeURL);
  return {
    url: `${origin}${pathname.replace(/\/+$/, "")}`,
    folder: joinPath(directory, settingsIn(surroundings).root),
  };
}
