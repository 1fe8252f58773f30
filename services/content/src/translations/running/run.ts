import type { Block, InlineNode } from "@octavo/markdown/document/nodes";
import { transact } from "@octavo/shared/database/transact";
import { lockRows } from "../../access/lock.js";
import * as spaces from "../../access/spaces.js";
import { auditTranslation } from "../../audit.js";
import { commitPrimary } from "../../revisions/primary.js";
import { same } from "../../store/merge-entry.js";
import { type Entry, headOf, lockBranch, primaryAt } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import * as glossary from "../store/glossary.js";
import type { Row } from "../store/translations.js";
import * as translations from "../store/translations.js";
import { failureOf, RunError } from "./failure.js";
import { forgetUnused, openMemory } from "./memory.js";
import { entriesAt, translateEntries } from "./pages.js";
import { resultSpaceOf } from "./result-space.js";
import { sourceOf } from "./source.js";

/**
 * Brings a translation up to date: what changed in the source since is translated, and comes into the space of the result
 * as one revision. A failure is kept with the translation, and the space stays as it was. Safe to run again after a crash
 * at any point: no segment that was translated is sent again.
 */
export async function translate(ctx: Ctx, id: string, stopping: AbortSignal): Promise<void> {
  const translation = await translations.begin(ctx, id);
  if (!translation) return;
  try {
    await bringUpToDate(ctx, translation, stopping);
  } catch (error) {
    const failure = stopping.aborted ? undefined : failureOf(error);
    if (!failure) throw error;
    await translations.fail(ctx, id, failure);
  }
}

/** Ends a run that no try is left for. */
export const abandon = (ctx: Ctx, id: string) =>
  translations.fail(ctx, id, { code: "FAILED", message: "The run failed unexpectedly" });

async function bringUpToDate(ctx: Ctx, translation: Row, signal: AbortSignal): Promise<void> {
  const began = ctx.clock().getTime();
  const { translator } = ctx;
  if (!translator)
    throw new RunError(
      "NO_PROVIDER",
      "The operator has configured nothing that translates (OCTAVO_TRANSLATION_KIND)",
    );
  const source = translation.space;
  const result = await resultSpaceOf(ctx, translation);
  const head = await headOf(ctx, source);
  const number = translation.runs + 1;
  const terms = await termsOf(ctx, translation);
  const memory = openMemory(ctx, { translation: translation.id, number, translator, terms, signal });
  const read = await entriesAt(ctx, primaryAt(source, head.seq));
  const progress = () => signal.throwIfAborted();
  const made = await translateEntries(ctx, read, { memory, from: source, to: result, progress });
  const words = [...memory.sent].reduce((sum, segment) => sum + wordsIn(segment), 0);
  await finish(ctx, translation, {
    result,
    revision: head.revision,
    entries: made.entries,
    pages: made.pages,
    words,
    began,
  });
}

interface Finished {
  result: string;
  /** The revision of the source that was translated. */
  revision: string;
  entries: Entry[];
  pages: number;
  words: number;
  began: number;
}

/**
 * Moves the space of the result to what was translated, in one transaction. Fails when one of both spaces was deleted or
 * transferred while the provider translated: what another organization owns is not for this one to read or to change.
 */
async function finish(ctx: Ctx, translation: Row, made: Finished): Promise<void> {
  const { result: space, entries, pages, words } = made;
  await transact(ctx, async (ctx) => {
    await lockRows(ctx, [translation.space, space], "use");
    await sourceOf(ctx, translation);
    if ((await spaces.find(ctx, space))?.organization !== translation.organization)
      throw new RunError("FAILED", "The space of the result was deleted or transferred during the run");
    const row = await translations.lock(ctx, translation.organization, translation.id);
    if (!row) return;
    const head = await lockBranch(ctx, space);
    const known = new Map((await entriesAt(ctx, primaryAt(space))).map((entry) => [entry.id, entry]));
    const now = ctx.clock().toISOString();
    const put = entries.flatMap((entry) => {
      const before = known.get(entry.id);
      if (before && same(entry, before)) return [];
      return [{ ...entry, created_at: before?.created_at ?? now, updated_at: before ? now : null }];
    });
    const wanted = new Set(entries.map(({ id }) => id));
    const remove = [...known.keys()].filter((id) => !wanted.has(id));
    const isChanged = put.length + remove.length > 0;
    const { id: result_revision } = isChanged
      ? await commitPrimary(ctx, { space, head, type: "edits", changes: { put, remove } })
      : { id: head.revision };
    const duration = Math.max(0, ctx.clock().getTime() - made.began);
    await translations.update(ctx, row.id, {
      status: "completed",
      error: null,
      result_space: space,
      result_revision,
      source_revision: made.revision,
      runs: row.runs + 1,
      latest_pages: pages,
      latest_words: words,
      latest_duration: duration,
      total_pages: row.total_pages + pages,
      total_words: row.total_words + words,
      total_duration: row.total_duration + duration,
      updated_at: ctx.clock(),
    });
    await forgetUnused(ctx, row.id, translation.runs + 1);
    await auditTranslation(ctx, "translation.completed", row, { space, revision: result_revision, words });
  });
}

async function termsOf(ctx: Ctx, { organization, source_language: from, language: to, instructions }: Row) {
  const entries = await glossary.inOrganization(ctx, organization).orderBy("id").execute();
  const terms = entries.flatMap(({ translations }): [string, string][] => {
    const [term, translation] = [translations[from], translations[to]];
    return term === undefined || translation === undefined ? [] : [[term, translation]];
  });
  return {
    from,
    to,
    instructions: wordsOf((instructions as { nodes?: Block[] }).nodes ?? []),
    glossary: terms,
  };
}

/** The words of a document, a line for each block of text. */
function wordsOf(nodes: (Block | InlineNode)[]): string {
  return nodes
    .map((node): string => {
      if (node.object === "text") return node.leaves.map(({ text }) => text).join("");
      const inner = wordsOf(node.nodes ?? []);
      return node.object === "block" ? `${inner}\n` : inner;
    })
    .join("")
    .replace(/\n{2,}/g, "\n");
}

const wordsIn = (segment: string) => segment.replace(/<[^>]*>/g, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
