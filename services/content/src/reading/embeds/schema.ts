import { httpUrl, id } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const GetEmbed = z.object({ url: httpUrl });
export const InSpace = GetEmbed.extend({ spaceId: id });

const about = {
  title: z.string(),
  /** The name of the site that it is of, or its host. */
  site: z.string(),
  icon: z.string().optional(),
};

export const Embed = z
  .discriminatedUnion("type", [
    z.object({ ...about, type: z.literal("link") }),
    /** `html` is a frame without access to whatever it stands in. */
    z.object({ ...about, type: z.literal("rich"), html: z.string() }),
  ])
  .meta({ id: "Embed" });
export type Embed = z.output<typeof Embed>;
