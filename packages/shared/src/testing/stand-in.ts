import type { AnyRouter, inferRouterInputs, inferRouterOutputs } from "@trpc/server";

/**
 * Holds a router that stands in for a service to the service's own, by types alone: each of its operations is one of the
 * service, takes nothing that the service refuses, and returns what the service does or a part of it. The compiler names
 * what differs: `standInFor<ContentRouter>()(router({ … }))`.
 */
export const standInFor =
  <Real extends AnyRouter>() =>
  <Router extends AnyRouter>(router: Router & Fits<Real, Router>): Router =>
    router;

type Fits<Real extends AnyRouter, Router extends AnyRouter> = [Differences<Real, Router>] extends [never]
  ? unknown
  : { differs: Differences<Real, Router> };

type Differences<Real extends AnyRouter, Router extends AnyRouter> = Compared<
  inferRouterInputs<Router>,
  inferRouterOutputs<Router>,
  inferRouterInputs<Real>,
  inferRouterOutputs<Real>
>;

/** The names of the operations that differ, by two levels of names. */
type Compared<Inputs, Outputs, RealInputs, RealOutputs> = {
  [Group in keyof Inputs & keyof Outputs & string]: {
    [Name in keyof Inputs[Group] & keyof Outputs[Group] & string]: Group extends keyof RealInputs &
      keyof RealOutputs
      ? Name extends keyof RealInputs[Group] & keyof RealOutputs[Group]
        ? Inputs[Group][Name] extends RealInputs[Group][Name]
          ? RealOutputs[Group][Name] extends Outputs[Group][Name]
            ? never
            : Outputs[Group][Name] extends RealOutputs[Group][Name]
              ? never
              : `${Group}.${Name} returns something else`
          : `${Group}.${Name} takes something else`
        : `${Group}.${Name} is not there`
      : `${Group} is not there`;
  }[keyof Inputs[Group] & keyof Outputs[Group] & string];
}[keyof Inputs & keyof Outputs & string];
