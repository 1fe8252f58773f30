import { z } from "zod";
import { id, uri } from "./basics.js";
import { reference, variables } from "./page-shapes.js";
import { ChangeRequest } from "./space-shapes.js";

// What a revision or a change request changes, as the contract shapes it.

const was = (value: z.ZodType) =>
  z.strictObject({ before: value.optional(), after: value.optional() }).optional();
const word = was(z.string());
const flag = was(z.boolean());
const ChangedPage = z.strictObject({
  id,
  type: z.enum(["document", "group", "link", "computed"]),
  title: z.string(),
  path: z.string().optional(),
});
const ChangedFile = z.strictObject({ id, name: z.string(), contentType: z.string(), downloadURL: uri });
const ChangedReusable = z.strictObject({ id, title: z.string(), document: z.string().optional() });
const things = { page: ChangedPage, file: ChangedFile, reusable_content: ChangedReusable };
const came = Object.entries(things).flatMap(([thing, shape]) =>
  ["created", "deleted"].map((done) =>
    z.strictObject({
      type: z.literal(`${thing}_${done}`),
      [thing === "reusable_content" ? "reusableContent" : thing]: shape,
    }),
  ),
);

export const SemanticChanges = z.strictObject({
  mergedFrom: ChangeRequest.optional(),
  more: z.number().int().min(1).optional(),
  changes: z.array(
    z.union([
      ...came,
      z.strictObject({
        type: z.literal("page_edited"),
        page: ChangedPage,
        attributes: z.strictObject({
          title: word,
          description: word,
          slug: word,
          document: word,
          emoji: word,
          layout: was(z.object()),
          cover: was(z.object()),
          variables: was(variables),
          target: was(reference),
          // Ours, beyond the interface.
          icon: word,
          hidden: flag,
          noIndex: flag,
          noRobotsIndex: flag,
          condition: word,
        }),
      }),
      z.strictObject({
        type: z.literal("page_moved"),
        page: ChangedPage,
        parent: z.strictObject({ before: ChangedPage.optional(), after: ChangedPage.optional() }),
      }),
      z.strictObject({
        type: z.literal("file_edited"),
        file: ChangedFile,
        attributes: z.strictObject({
          name: word,
          downloadURL: word,
          size: was(z.number()),
          contentType: word,
          dimensions: was(z.strictObject({ width: z.number(), height: z.number() })),
        }),
      }),
      z.strictObject({
        type: z.literal("reusable_content_edited"),
        reusableContent: ChangedReusable,
        attributes: z.strictObject({ title: word, document: word }),
      }),
      z.strictObject({
        type: z.literal("variables_edited"),
        variables: z.record(z.string(), was(z.union([z.string(), z.number(), z.boolean()])).unwrap()),
      }),
    ]),
  ),
});
