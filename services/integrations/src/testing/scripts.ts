/** A module whose handler is handed the event, the environment and the raw body: `body` returns the response. */
export const moduleOf = (body: string): string => `
  const handle = async (event, environment, raw) => { ${body} };
  export default {
    async fetch(request, env, ctx) {
      const form = await request.formData();
      const raw = form.get("fetch-body");
      const text = raw === null ? null : typeof raw === "string" ? raw : await raw.text();
      return handle(JSON.parse(form.get("event")), JSON.parse(form.get("environment")), text);
    },
  };`;
