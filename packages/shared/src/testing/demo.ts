import { z } from "zod";
import type { BaseContext } from "../context.js";
import { id, listOf, noContent, paging, segment, text, urls } from "../contracts/fields.js";
import { refuse } from "../errors.js";
import { readForm } from "../rest/body.js";
import type { RawRoute } from "../rest/handler.js";
import { createApi } from "../trpc.js";

export type DemoContext = BaseContext<unknown> & { aborted: string[] };
const api = createApi<DemoContext>();
const { get, post, patch, put, del, internal, service } = api;

/** A tree holds trees: the schema names itself, on the way in and on the way out. */
export const Tree = z
  .object({
    name: text(20, 1),
    get children() {
      return z.array(Tree).optional();
    },
  })
  .meta({ id: "Tree" });

export const Thing = z
  .object({
    object: z.literal("thing"),
    id,
    given: z.record(z.string(), z.unknown()),
    urls: urls("location"),
  })
  .meta({ id: "Thing" });

export const Fields = z.object({
  title: text(10, 1).optional(),
  active: z.boolean().optional(),
  count: z.number().int().optional(),
  note: text(100).nullable().optional(),
  tags: z.array(text(10)).default([]),
  place: z.union([z.object({ top: z.boolean() }), z.object({ before: id })]).optional(),
  bag: z.record(z.string(), z.unknown()).optional(),
});

export const List = z.object({
  ...paging,
  flag: z.boolean().optional(),
  ratio: z.number().optional(),
  colors: z.array(z.enum(["red", "green"])).optional(),
  authors: z.array(id).default([]),
  query: text(20).optional(),
});

const One = z.object({ thingId: segment });
const one = "/things/{thingId}";
type Given<Input> = { ctx: DemoContext; input: Input };

/** Responds with what the rule was given. */
const show = ({ ctx, input }: Given<object>) => ({
  object: "thing" as const,
  id: "thing1",
  given: { ...input },
  urls: { location: ctx.urls.api`/things/${"thing1"}` },
});
const listed = (call: Given<object>) => ({ items: [show(call)], count: 1 });

/** Resolves once the client has gone away, and says so in the context that all requests share. */
const wait = ({ ctx }: Given<object>) =>
  new Promise<void>((resolve) => {
    ctx.signal!.addEventListener("abort", () => {
      ctx.aborted.push(ctx.requestId);
      resolve();
    });
  });

export const demo = api.router({
  things: api.router({
    list: get("/things", { summary: "List things" }).input(List).output(listOf(Thing)).query(listed),
    create: post("/things", { summary: "Create a thing", query: ["dryRun"] })
      .input(Fields.extend({ dryRun: z.boolean().default(false) }))
      .output(Thing)
      .mutation(show),
    get: get(one, { summary: "Get a thing" }).input(One).output(Thing).query(show),
    latest: get("/things/latest", { operationId: "getLatestThing", summary: "Get the latest thing" })
      .input(z.object({}))
      .output(Thing)
      .query(show),
    update: patch(one, { summary: "Change a thing" })
      .input(Fields.extend({ thingId: id }))
      .output(Thing)
      .mutation(show),
    replace: put(one, { summary: "Replace a thing", maxBody: 100 })
      .input(Fields.extend({ thingId: id }))
      .output(Thing)
      .mutation(show),
    remove: del(one, { summary: "Delete a thing" })
      .input(One)
      .output(noContent)
      .mutation(() => undefined),
    publish: post(`${one}/publish`, { summary: "Publish a thing", status: 200 })
      .input(One)
      .output(Thing)
      .mutation(show),
    upload: put(`${one}/upload`, {
      summary: "Upload a thing",
      maxBody: 1024 * 1024,
      admit: async ({ input }: { input: z.output<typeof One> }) => {
        if (!input.thingId.startsWith("own")) refuse("NOT_FOUND", "Thing: not found");
      },
    })
      .input(Fields.extend({ thingId: id }))
      .output(Thing)
      .mutation(show),
    file: get(`${one}/files/{filePath*}`, { summary: "Get a file of a thing" })
      .input(One.extend({ filePath: text(1000, 1) }))
      .output(Thing)
      .query(show),
    version: get(`${one}/versions/{versionNumber}`, { summary: "Get a version of a thing", reader: true })
      .input(One.extend({ versionNumber: z.number().int().positive() }))
      .output(Thing)
      .query(show),
  }),
  trees: api.router({
    create: post("/trees", { summary: "Create a tree" })
      .input(z.object({ tree: Tree }))
      .output(Tree)
      .mutation(({ input }) => input.tree),
  }),
  faults: api.router({
    thrown: get("/faults/thrown", { summary: "Fail unexpectedly" })
      .input(z.object({}))
      .output(Thing)
      .query(() => {
        throw new Error("password=hunter2 in select * from secrets");
      }),
    output: get("/faults/output", { summary: "TestResponse what is not promised" })
      .input(z.object({}))
      .output(Thing)
      .query(() => ({ hunter2: true }) as never),
    refused: post("/faults/refused", { summary: "Refuse" })
      .input(z.object({}))
      .output(Thing)
      .mutation(() => {
        const cause = z.object({ inner: z.string() }).safeParse({}).error;
        refuse("BAD_REQUEST", "Archive: no pages in it", { reason: "empty_archive", cause });
      }),
    wait: get("/faults/wait", { summary: "Wait until the client is gone" })
      .input(z.object({}))
      .output(noContent)
      .query(wait),
  }),
  whoami: internal({})
    .input(z.object({ active: z.boolean().optional() }))
    .output(z.record(z.string(), z.unknown()))
    .query(({ ctx, input }) => ({ caller: ctx.caller, ...input })),
  sweep: service("gateway")
    .input(z.object({}))
    .output(z.literal("swept"))
    .mutation(() => "swept" as const),
  // Shares its input with POST /things, which must leave it as it is.
  fields: internal({})
    .input(Fields)
    .output(z.record(z.string(), z.unknown()))
    .query(({ input }) => input),
});
export type DemoRouter = typeof demo;

export const rawRoutes: RawRoute[] = [
  {
    method: "GET",
    path: "/downloads/{name}",
    name: "downloads.get",
    openapi: { operationId: "download", summary: "Download bytes", response: { type: "text/plain" } },
    handle: async (_req, res, { name }) => {
      res.writeHead(200, { "content-type": "text/plain" }).end(`bytes of ${name}`);
    },
  },
  {
    method: "POST",
    path: "/forms",
    name: "forms.post",
    form: true,
    openapi: { operationId: "postForm", summary: "Post a form", status: 303 },
    handle: async (req, res) => {
      const form = await readForm(req, 100);
      res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([...form]));
    },
  },
];
