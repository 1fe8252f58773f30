import { id, segment, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { storable } from "../installations/configuration.js";

/** Values that are handed to a script, and recorded with the event. */
const values = z
  .record(text(200), z.unknown())
  .refine(storable, "must hold no NUL character, no broken Unicode and at most 100 000 bytes");
const theme = z.enum(["dark", "light"]);

/** Where a component is shown, which decides who may have it rendered. */
export const RenderContext = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("configuration_account"), theme, organizationId: id }),
    z.object({ type: z.literal("configuration_space"), theme, spaceId: id }),
    z.object({ type: z.literal("configuration_site"), theme, siteId: id }),
    z.object({
      type: z.literal("configuration_contentsource"),
      theme,
      organizationId: id,
      spaceId: id.optional(),
    }),
    z.object({ type: z.literal("document"), theme, spaceId: id, editable: z.boolean() }),
  ])
  .meta({ id: "ContentKitContext" });
export type RenderContext = z.output<typeof RenderContext>;

const request = {
  componentId: text(200, 1),
  props: values,
  state: values.optional(),
  context: RenderContext,
  /** What somebody did with the component: the name of an action, with whatever belongs to it. */
  action: z
    .looseObject({ action: text(200) })
    .refine(storable, "must hold no NUL character, no broken Unicode and at most 100 000 bytes")
    .optional(),
};
export const RenderRequest = z.object(request);
export type RenderRequest = z.output<typeof RenderRequest>;

export const Post = z.object({ integrationName: segment, ...request });
/** `request` is the body of the POST as JSON, compressed by LZ-string. */
export const Get = z.object({ integrationName: segment, request: text(8_000, 1) });

/** What a component looks like now, or what it returns at its end. The element is the script's own. */
export const Rendered = z
  .union([
    z
      .looseObject({ type: z.literal("complete"), returnValue: z.record(z.string(), z.unknown()).optional() })
      .meta({ id: "ContentKitRenderOutputComplete" }),
    z
      .looseObject({
        type: z.literal("element").optional(),
        element: z.looseObject({ type: z.string() }),
        state: z.record(z.string(), z.unknown()),
        props: z.record(z.string(), z.unknown()),
      })
      .meta({ id: "ContentKitRenderOutputElement" }),
  ])
  .meta({ id: "ContentKitRenderOutput" });
export type Rendered = z.output<typeof Rendered>;
