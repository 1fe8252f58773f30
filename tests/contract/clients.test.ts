import type { ContentRouter } from "@octavo/content/client";
import type { IntegrationsRouter } from "@octavo/integrations/client";
import type { OrgsRouter } from "@octavo/orgs/client";
import type { SitesRouter } from "@octavo/sites/client";
import type { AnyRouter, inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { expectTypeOf, test } from "vitest";

type IsAny<T> = 0 extends 1 & T ? true : false;
/** Any, unknown, or an object with such a field. */
type IsLoose<T> = IsAny<T> extends true ? true : unknown extends T ? true : HasAny<T>;
type HasAny<T> = T extends object
  ? true extends { [Field in keyof T]: IsAny<T[Field]> }[keyof T]
    ? true
    : false
  : false;

/** The names of the procedures of a service, of which one side is loose. */
type LooseOf<Sides> = {
  [Resource in keyof Sides & string]: {
    [Name in keyof Sides[Resource] & string]: true extends IsLoose<Sides[Resource][Name]>
      ? `${Resource}.${Name}`
      : never;
  }[keyof Sides[Resource] & string];
}[keyof Sides & string];

type Loose<Router extends AnyRouter> =
  | LooseOf<inferRouterInputs<Router>>
  | LooseOf<inferRouterOutputs<Router>>;

interface Known {
  // biome-ignore lint/suspicious/noExplicitAny: what must be found
  things: { sound: { id: string }; loose: { id: any }; open: unknown };
}

// The compiler decides: `npm run check` fails here and names the procedure.
test("the clients of all services have the inputs and outputs of every procedure", () => {
  expectTypeOf<LooseOf<Known>>().toEqualTypeOf<"things.loose" | "things.open">();
  expectTypeOf<inferRouterInputs<ContentRouter>["spaces"]["lookup"]>().toEqualTypeOf<{ ids: string[] }>();
  expectTypeOf<Loose<OrgsRouter>>().toBeNever();
  expectTypeOf<Loose<ContentRouter>>().toBeNever();
  expectTypeOf<Loose<SitesRouter>>().toBeNever();
  expectTypeOf<Loose<IntegrationsRouter>>().toBeNever();
});
