import pg from "pg";

/** The side of a connection that queries are written to. */
interface Wire {
  describe(portal: { type: string; name: string }): void;
}

/** Of a result, what is known of its rows before they come. */
interface Shape {
  fields: unknown[];
  _parsers?: unknown[];
  _prebuiltEmptyResultObject: object | null;
}

/** What a query of `pg` is to its client, and its type declarations leave out. */
interface Query {
  name?: string;
  _result: Shape;
  _accumulateRows: boolean;
  prepare(wire: Wire): void;
  handleRowDescription(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}

type Outcome = (error: Error | undefined, result: pg.QueryResult) => void;

// Cast: the declarations know of a query no more than that it can be sent.
const Plain = pg.Query as unknown as new (text: string, values: unknown[], callback: Outcome) => Query;

class NamedQuery extends Plain {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes, name: string, ...args: ConstructorParameters<typeof Plain>) {
    super(...args);
    this.name = name;
    this.#shapes = shapes;
  }

  override prepare(wire: Wire): void {
    const shape = this.#shapes.of.get(this.name!);
    if (shape) Object.assign(this._result, shape);
    if (shape) this._accumulateRows = true;
    super.prepare(shape ? this.#shapes.wireWithoutDescribe(wire) : wire);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    this.#learn();
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    // One that returns no rows has no description.
    this.#learn();
    super.handleCommandComplete(message, wire);
  }

  #learn() {
    if (this.#shapes.of.has(this.name!)) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#shapes.of.set(this.name!, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** What the rows of a client's named statements are like, by their names. */
class Shapes {
  readonly of = new Map<string, Shape>();
  #silent: Wire | undefined;

  wireWithoutDescribe(wire: Wire): Wire {
    this.#silent ??= Object.create(wire, { describe: { value: () => undefined } }) as Wire;
    return this.#silent;
  }
}

/**
 * Sends named statements of one client, each of which is described once: what its rows are like stays the same for as long
 * as it is prepared, for the server refuses a statement whose result has changed.
 */
export function createNamedQueries(client: pg.ClientBase) {
  const shapes = new Shapes();
  const send = client.query.bind(client) as unknown as (query: Query) => void;
  return (name: string, text: string, values: unknown[]): Promise<pg.QueryResult> =>
    new Promise((resolve, reject) => {
      send(
        new NamedQuery(shapes, name, text, values, (error, result) =>
          error ? reject(error) : resolve(result),
        ),
      );
    });
}
