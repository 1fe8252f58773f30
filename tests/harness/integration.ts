import type { Client } from "./client.js";

interface Wanted {
  name: string;
  organization: string;
  tunnelUrl: string;
}

/** Publishes an integration that subscribes to content and visibility, and sends its events to a tunnel. */
export async function publishIntegration(call: Client, { name, organization, tunnelUrl }: Wanted) {
  const published = await call("POST", `/integrations/${name}`, {
    title: "Witness",
    description: "Hears what happens",
    scopes: ["space:content:read", "space:metadata:read"],
    visibility: "unlisted",
    runtime: "v2",
    script: "export default {}",
    organization,
  });
  if (published.status !== 200) throw new Error(`Publishing returned ${JSON.stringify(published.body)}`);
  const dev = await call("PUT", `/integrations/${name}/dev`, { tunnelUrl, all: true });
  if (dev.status !== 204) throw new Error(`Development mode returned ${JSON.stringify(dev.body)}`);
}

/** Installs an integration for an organization, and returns the id of the installation. */
export async function install(call: Client, name: string, organization: string): Promise<string> {
  const { status, body } = await call<{ id: string }>("POST", `/integrations/${name}/installations`, {
    organization,
  });
  if (status !== 201) throw new Error(`Installing returned ${JSON.stringify(body)}`);
  return body.id;
}
