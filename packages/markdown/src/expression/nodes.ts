/** An expression that was read. */
export type Expression =
  | { type: "literal"; value: Primitive }
  | { type: "name"; name: string }
  /** Texts around values: one text more than there are values. */
  | { type: "template"; texts: string[]; values: Expression[] }
  | { type: "array"; items: Expression[] }
  | { type: "object"; entries: { key: Expression; value: Expression }[] }
  | { type: "member"; object: Expression; property: Expression; optional: boolean }
  | { type: "call"; callee: Expression; args: Expression[]; optional: boolean }
  /** Where `?.` in it stops at when it finds nothing. */
  | { type: "chain"; inner: Expression }
  | { type: "unary"; operator: string; operand: Expression }
  | { type: "binary"; operator: string; left: Expression; right: Expression }
  | { type: "conditional"; test: Expression; then: Expression; otherwise: Expression }
  | { type: "arrow"; parameters: string[]; body: Expression };

export type Primitive = string | number | boolean | null | undefined;

/** What is wrong with an expression, or with what it asks for. Never leaves this folder. */
export class ExpressionError extends Error {}

/** Throws an ExpressionError with a message. */
export function fail(message: string): never {
  throw new ExpressionError(message);
}
