import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import type { RawBuilder } from "kysely";
import type { Ctx } from "../trpc.js";
import { type ReadAt, type ReadPoint, unseen } from "./version.js";

interface Numbers {
  branch: string;
  seq?: number;
  base?: string;
  baseSeq?: number;
}

/**
 * A look-up in versions that is built and compiled once for each kind of them, and whose plan is kept: for what every write
 * asks. `build` gets the version as stand-ins, and must not look at them.
 */
export function prepareAt<Values extends object, Row>(build: Build<Values, Row>) {
  const statementAt = prepareStatementAt(build);
  return async ({ db }: Pick<Ctx, "db">, point: ReadPoint, values: Values): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(statementAt(point, values).compile(db));
    return rows;
  };
}

type Build<Values, Row> = (at: ReadAt, arg: Argument<Values>) => RawBuilder<Row>;

/** The same as a statement that is sent by others, such as `ask`. */
export function prepareStatementAt<Values extends object, Row>(build: Build<Values, Row>) {
  const of = ({ past, above }: Record<"past" | "above", boolean>) =>
    prepareStatement<Values & Numbers, Row>((arg) => {
      const at = { branch: arg("branch"), ...(past && { seq: arg("seq") as RawBuilder<number> }) };
      const base = { branch: arg("base") as RawBuilder<string>, seq: arg("baseSeq") as RawBuilder<number> };
      return build(unseen({ ...at, ...(above && { base }) }), (name) => arg(name));
    });
  const atHead = { alone: of({ past: false, above: false }), above: of({ past: false, above: true }) };
  const atPast = { alone: of({ past: true, above: false }), above: of({ past: true, above: true }) };
  return ({ branch, seq, base }: ReadPoint, values: Values) => {
    const kind = seq === undefined ? atHead : atPast;
    const statement = base === undefined ? kind.alone : kind.above;
    return statement({ ...values, branch, seq, base: base?.branch, baseSeq: base?.seq });
  };
}
