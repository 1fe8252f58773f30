import { refuseAll } from "@octavo/shared/errors";
import type { Ctx } from "../../trpc.js";
import { readCertificate } from "./certificate.js";
import * as queries from "./queries.js";
import type { Settings } from "./schema.js";

/** Returns the columns of the settings that are there; 400 for an unreadable certificate or a team of elsewhere. */
export async function columnsOf(ctx: Ctx, organization: string, settings: Settings) {
  const { defaultTeam: team, certificate } = settings;
  const issues = [
    ...(certificate ? certificateIssues(certificate) : []),
    ...(team === undefined ? [] : await teamIssues(ctx, organization, team)),
  ];
  refuseAll(issues);
  const changes = {
    label: settings.label,
    entity_id: settings.entityID?.trim(),
    sso_url: settings.ssoURL,
    certificate: certificate?.trim(),
    default_team: team,
    default_role: settings.defaultRole,
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as typeof changes;
}

function certificateIssues(certificate: string) {
  try {
    readCertificate(certificate);
    return [];
  } catch (error) {
    return [{ path: "body.certificate", message: (error as Error).message }];
  }
}

async function teamIssues(ctx: Ctx, organization: string, team: string) {
  if (await queries.findTeam(ctx, organization, team)) return [];
  return [{ path: "body.defaultTeam", message: "is not a team of the organization" }];
}
