# The one-shot steps of a first start. From the root of the project: docker build -f deploy/provision.Dockerfile .
FROM node:20-bookworm-slim AS root
WORKDIR /octavo
COPY package.json package-lock.json .npmrc ./

FROM root AS build
COPY gateway/package.json gateway/
COPY packages/html/package.json packages/html/
COPY packages/launcher/package.json packages/launcher/
COPY packages/markdown/package.json packages/markdown/
COPY packages/pdf/package.json packages/pdf/
COPY packages/shared/package.json packages/shared/
COPY reader/package.json reader/
COPY services/content/package.json services/content/
COPY services/integrations/package.json services/integrations/
COPY services/orgs/package.json services/orgs/
COPY services/sites/package.json services/sites/
RUN npm ci
COPY turbo.json tsconfig.base.json ./
COPY scripts/build.js scripts/
COPY packages packages
COPY services services
COPY gateway gateway
RUN npm run build -- --filter=./packages/launcher

# The manifests of neighbours would have their packages installed as well.
FROM root AS packages
COPY packages/launcher/package.json packages/launcher/
COPY packages/shared/package.json packages/shared/
RUN npm ci --omit=dev --omit=optional --workspace=packages/launcher

FROM node:20-bookworm-slim
ENV NODE_ENV=production
COPY --from=packages /octavo /octavo
COPY --from=build /octavo/packages/shared/dist /octavo/packages/shared/dist
COPY --from=build /octavo/packages/launcher/dist /octavo/packages/launcher/dist
WORKDIR /octavo/packages/launcher
USER node
CMD ["node", "dist/provision-cli.js"]
