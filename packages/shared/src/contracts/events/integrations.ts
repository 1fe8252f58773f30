import { z } from "zod";
import { defineEvent } from "./define.js";

// The aggregate is the installation unless stated otherwise.

const id = z.string();
/** `organization` is the one that installed it. */
const installation = z.object({ integration: id, installation: id, organization: id });

/** Aggregate: the integration; `organization` is the one that publishes it. */
export const IntegrationPublished = defineEvent(
  "integrations.integration.published",
  z.object({ integration: id, organization: id }),
);
/** The same; with it go the tokens of the integration itself. */
export const IntegrationUnpublished = defineEvent(
  "integrations.integration.unpublished",
  z.object({ integration: id, organization: id }),
);
/** Aggregate: the webhook. It was paused automatically: its address failed for three days, or returned 410. */
export const WebhookPaused = defineEvent(
  "integrations.webhook.paused",
  z.object({ webhook: id, organization: id, because: z.enum(["failing", "gone"]) }),
);
export const InstallationCreated = defineEvent("integrations.installation.created", installation);
export const InstallationConfigured = defineEvent("integrations.installation.configured", installation);
export const InstallationDeleted = defineEvent("integrations.installation.deleted", installation);
/** It was installed on a space or a site by itself, changed there, or taken from it. */
export const InstallationPlaced = defineEvent(
  "integrations.installation.placed",
  z.object({ installation: id, organization: id }),
);
