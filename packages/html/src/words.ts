/** The words of the page that no author wrote. */
export interface Words {
  info: string;
  success: string;
  warning: string;
  danger: string;
  copy: string;
  copied: string;
  done: string;
  open: string;
  download: string;
  code: string;
  table: string;
  section: string;
  diagram: string;
  prompt: string;
  stars: (count: number, most: number) => string;
  openIn: (name: string) => string;
  /** The language in which days are written, as BCP 47 names it. */
  dates: string;
  // Operations of an API.
  authentication: string;
  pathParameters: string;
  queryParameters: string;
  headerParameters: string;
  cookieParameters: string;
  body: string;
  responses: string;
  required: string;
  deprecated: string;
  byDefault: string;
  example: string;
  values: string;
  fields: string;
  tryIt: string;
  send: string;
  token: string;
  server: string;
  request: string;
}

export const english: Words = {
  info: "Note",
  success: "Success",
  warning: "Warning",
  danger: "Danger",
  copy: "Copy",
  copied: "Copied",
  done: "Done",
  open: "To do",
  download: "Download",
  code: "Code",
  table: "Table",
  section: "Link to this section",
  diagram: "Diagram",
  prompt: "Prompt",
  stars: (count, most) => `${count} of ${most}`,
  openIn: (name) => `Open in ${name}`,
  dates: "en",
  authentication: "Authentication",
  pathParameters: "Path parameters",
  queryParameters: "Query parameters",
  headerParameters: "Headers",
  cookieParameters: "Cookies",
  body: "Request body",
  responses: "Responses",
  required: "required",
  deprecated: "deprecated",
  byDefault: "Default",
  example: "Example",
  values: "Values",
  fields: "Fields",
  tryIt: "Try it",
  send: "Send",
  token: "Bearer token",
  server: "Server",
  request: "Request",
};
