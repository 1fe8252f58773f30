const text = { type: "string" };
const word = { type: "string", description: "A stable machine word." };
const issues = {
  type: "array",
  description: "Everything that is wrong with the input, and where.",
  items: { type: "object", required: ["path", "message"], properties: { path: text, message: text } },
};

/** The two forms of an error. */
export const ERROR_SCHEMAS = {
  Error: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: { type: "integer", description: "The HTTP status." },
          message: { type: "string", description: "`<where>: <what>`" },
          reason: word,
          requestId: text,
          issues,
        },
      },
    },
  },
  Problem: {
    type: "object",
    description: "RFC 9457, for who accepts `application/problem+json`.",
    required: ["type", "title", "status", "detail"],
    properties: {
      type: { type: "string", description: "`urn:octavo:<reason>`" },
      title: text,
      status: { type: "integer", description: "The HTTP status." },
      detail: { type: "string", description: "`<where>: <what>`" },
      requestId: text,
      issues,
    },
  },
};

const refusal = (description: string) => ({
  description,
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/Error" } },
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  },
});

/** The responses that operations refer to. */
export const REFUSALS = {
  BadRequest: refusal("The input is not valid; `issues` names everything that is wrong with it."),
  Unauthorized: refusal("The bearer token is missing, malformed, revoked or expired."),
  Forbidden: refusal("The caller may not do this."),
  NotFound: refusal("It does not exist, or the caller may not know of it."),
  TooManyRequests: refusal("Too many requests; `Retry-After` says when to come back."),
  Unexpected: refusal("Any other error."),
};

const to = (name: keyof typeof REFUSALS) => ({ $ref: `#/components/responses/${name}` });

/** How every operation may be refused. */
export const ERRORS = {
  400: to("BadRequest"),
  401: to("Unauthorized"),
  403: to("Forbidden"),
  404: to("NotFound"),
  429: to("TooManyRequests"),
  default: to("Unexpected"),
};
