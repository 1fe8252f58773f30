import { natsVariables } from "./nats.js";
import { newState, signers, trustedKeys } from "./state.js";

/**
 * `npm run --silent secrets > .env`: prints new secrets for docker-compose.yml, or for whatever starts the services one
 * by one. Values are quoted so that a shell and Docker Compose read the same.
 */
const state = newState();
const lines = [
  ["OCTAVO_ADMIN_TOKEN", state.adminToken],
  ["OCTAVO_SECRET_KEY", state.secretKey],
  ["OCTAVO_TRUSTED_KEYS", JSON.stringify(trustedKeys(state))],
  ...signers.map((name) => [
    `OCTAVO_SIGNING_KEY_${name.toUpperCase()}`,
    JSON.stringify(state.signingKeys[name]),
  ]),
  ["POSTGRES_PASSWORD", state.postgresPassword],
  ...Object.entries(natsVariables(state.natsPasswords)),
  ...Object.entries(state.passwords).map(([name, password]) => [
    `OCTAVO_PASSWORD_${name.toUpperCase()}`,
    password,
  ]),
];
process.stdout.write(`${lines.map(([name, value]) => `${name}='${value}'`).join("\n")}\n`);
