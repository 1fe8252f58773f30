import { heading } from "@octavo/markdown/document/heading";
import { type Block, leaf, textNode } from "@octavo/markdown/document/nodes";
import { renderDocument } from "@octavo/markdown/document/render";
import { type Made, slugsBeside } from "./made.js";
import type { Operation, Outline, Tag } from "./outline.js";
import { type ComputedSource, specOf } from "./source.js";

/**
 * The pages of a specification: one for each tag with its operations, or with `grouping: by-operation` one for each
 * operation below that of its tag; and the models, where the source asks for them.
 */
export function pagesOfSpec(outline: Outline, source: ComputedSource): Made[] {
  const byOperation = source.props?.grouping === "by-operation";
  const spec = specOf(source) ?? "";
  const keyOf = slugsBeside();
  const tags = outline.tags.map((tag): Made => {
    const key = keyOf(tag.name, "tag");
    const head = { key, title: tag.name, slug: key };
    if (byOperation)
      return { ...head, ...infoOf(tag, key, source), pages: operationPages(tag, { key, spec, source }) };
    const blocks = tag.operations.flatMap((operation) => operationBlocks(operation, spec, true));
    const computed = documentSource(source, { doc: "operations", page: key });
    return { ...head, markdown: joined(tag.description, written(blocks)), computed, pages: [] };
  });
  if (source.props?.models !== true || outline.models.length === 0) return tags;
  return [...tags, { ...modelsPage(outline, spec, source), key: keyOf("models", "models") }];
}

const infoOf = ({ description = "" }: Tag, page: string, source: ComputedSource) => ({
  markdown: description,
  computed: documentSource(source, { doc: "info", page }),
});

function operationPages(
  { operations }: Tag,
  { key, spec, source }: { key: string; spec: string; source: ComputedSource },
): Made[] {
  const slugOf = slugsBeside();
  return operations.map((operation) => {
    const title = titleOf(operation);
    const slug = slugOf(title, operation.method);
    const page = `${key}/${slug}`;
    const markdown = written(operationBlocks(operation, spec, false));
    return {
      key: page,
      title,
      slug,
      markdown,
      computed: documentSource(source, { doc: "operations", page }),
      pages: [],
    };
  });
}

function modelsPage({ models }: Outline, spec: string, source: ComputedSource) {
  const block = {
    type: "openapi-schemas",
    data: { ref: { kind: "openapi", spec }, schemas: models, grouped: true },
  };
  const markdown = written([{ object: "block", isVoid: true, ...block }]);
  return { title: "Models", markdown, computed: documentSource(source, { doc: "models" }), pages: [] };
}

/** What makes the text of one page of a source. */
const documentSource = (
  { type, dependencies }: ComputedSource,
  props: Record<string, unknown>,
): ComputedSource => ({
  type,
  props,
  dependencies,
});

const titleOf = ({ method, path, summary }: Operation) => summary ?? `${method.toUpperCase()} ${path}`;

function operationBlocks(operation: Operation, spec: string, headed: boolean): Block[] {
  const { path, method } = operation;
  const title = heading(2, [textNode([leaf(titleOf(operation))])]);
  const data = { ref: { kind: "openapi", spec }, path, method };
  const block: Block = { object: "block", type: "openapi-operation", isVoid: true, data };
  return headed ? [title, block] : [block];
}

const written = (nodes: Block[]) =>
  nodes.length === 0 ? "" : renderDocument({ object: "document", data: {}, nodes });

const joined = (...parts: (string | undefined)[]) => parts.filter((part) => part).join("\n\n");
