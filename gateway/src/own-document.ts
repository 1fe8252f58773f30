import type { Document } from "./merge-documents.js";

/** What the gateway serves itself. */
export const OWN_DOCUMENT: Document = {
  openapi: "3.1.0",
  info: {},
  paths: {
    "/": {
      get: {
        operationId: "getApiInformation",
        summary: "Version and build of this installation",
        tags: ["information"],
        security: [],
        responses: {
          "200": {
            description: "Success",
            content: { "application/json": { schema: { $ref: "#/components/schemas/ApiInformation" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      ApiInformation: {
        type: "object",
        required: ["version", "build"],
        properties: { version: { type: "string" }, build: { type: "string", format: "date-time" } },
      },
    },
  },
};
