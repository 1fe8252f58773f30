import type { BaseContext } from "@octavo/shared/context";
import { refuse } from "@octavo/shared/errors";
import { createApi } from "@octavo/shared/trpc";
import { z } from "zod";
import type { FilledSource, WantedFile, WantedSource } from "../content/content.js";

/** Sources of spaces in memory: each is wanted until it was filled. */
export function standInComputed() {
  const { service } = createApi<BaseContext<never>>();
  const wanted = new Map<string, WantedSource[]>();
  const filled: FilledSource[] = [];
  const refused = new Set<string>();
  const received: WantedFile[] = [];
  /** The names of files for which no space has room. */
  const full = new Set<string>();
  const forgotten: { spaceId: string; by: FilledSource["by"] }[] = [];
  const procedures = {
    wanted: service("integrations")
      .input(z.object({ spaceId: z.string(), versions: z.record(z.string(), z.number()) }))
      .query(({ input: { spaceId, versions } }) =>
        (wanted.get(spaceId) ?? []).filter(
          ({ key, type }) =>
            Object.hasOwn(versions, type.split(":")[1] ?? "") && !filled.some((one) => one.key === key),
        ),
      ),
    spacesOf: service("integrations")
      .input(z.object({ organizationId: z.string() }))
      .query(() => [...wanted.keys()]),
    forget: service("integrations")
      .input(z.custom<(typeof forgotten)[number]>())
      .mutation(({ input }) => void forgotten.push(input)),
    fill: service("integrations")
      .input(z.custom<FilledSource>())
      .mutation(({ input }) => {
        if (refused.has(input.spaceId)) refuse("BAD_REQUEST", "pages: cannot be shown");
        filled.push(input);
        return { left: input.files.filter(({ name }) => full.has(name)).map(({ name }) => name) };
      }),
    receive: service("integrations")
      .input(z.custom<WantedFile>())
      .query(({ input }) => {
        received.push(input);
        const { name, size, contentType } = input.file;
        if (name.startsWith("gone")) refuse("BAD_REQUEST", "File: 404 from the address of a file");
        return { hash: name.padEnd(43, "-"), props: { contentType, size } };
      }),
  };
  return {
    procedures,
    wanted,
    filled,
    received,
    full,
    forgotten,
    refuse: (space: string) => void refused.add(space),
  };
}
