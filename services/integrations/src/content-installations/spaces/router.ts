import { noContent } from "@octavo/shared/contracts/fields";
import { removal } from "@octavo/shared/errors";
import { del, get, patch, post, router } from "../../trpc.js";
import {
  GetOnSpace,
  InstallOnSpace,
  List,
  ListOfIntegration,
  OnSpace,
  SpaceInstallation,
  SpaceInstallations,
  UpdateOnSpace,
} from "../schema.js";
import * as rules from "./rules.js";

const all = "/integrations/{integrationName}/installations/{installationId}/spaces";
const one = "/integrations/{integrationName}/installations/{installationId}/spaces/{spaceId}";

const also = "The right is the one on the space.";

export const installationSpaces = router({
  listOfIntegration: get("/integrations/{integrationName}/spaces", {
    operationId: "listIntegrationSpaceInstallations",
    permission: "organization.listInstallations",
    also: "Those in organizations where the caller may install are listed, and all to administrators of the integration and to itself.",
    summary: "List the spaces that an integration is installed on by themselves",
    scope: "integration:installation:read",
  })
    .input(ListOfIntegration)
    .output(SpaceInstallations)
    .query(rules.listOfIntegration),
  list: get(all, {
    operationId: "listIntegrationInstallationSpaces",
    permission: "contentInstallation.list",
    also: "The integration itself may as well.",
    summary: "List the spaces that an installation is installed on by themselves",
    scope: "integration:installation:read",
  })
    .input(List)
    .output(SpaceInstallations)
    .query(rules.list),
  install: post(all, {
    operationId: "installIntegrationOnSpace",
    permission: "contentInstallation.admin",
    also,
    summary: "Install an integration on a space",
    query: ["extended"],
  })
    .input(InstallOnSpace)
    .output(SpaceInstallation)
    .mutation(rules.install),
  get: get(one, {
    operationId: "getIntegrationSpaceInstallation",
    permission: "contentInstallation.view",
    also: "The right is the one on the space. The integration itself may as well.",
    summary: "Get the installation of an integration on a space",
    scope: "integration:installation:read",
  })
    .input(GetOnSpace)
    .output(SpaceInstallation)
    .query(rules.get),
  update: patch(one, {
    operationId: "updateIntegrationSpaceInstallation",
    permission: "contentInstallation.admin",
    also: "The right is the one on the space. The integration itself may as well.",
    summary: "Change the configuration of an integration on a space",
    query: ["extended"],
    scope: "integration:installation:update",
  })
    .input(UpdateOnSpace)
    .output(SpaceInstallation)
    .mutation(rules.update),
  uninstall: del(one, {
    operationId: "uninstallIntegrationFromSpace",
    permission: "contentInstallation.admin",
    also,
    summary: "Uninstall an integration from a space",
  })
    .input(OnSpace)
    .output(noContent)
    .mutation(removal(rules.uninstall)),
});
