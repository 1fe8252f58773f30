# The content service. From the root of the project: docker build -f deploy/content.Dockerfile .
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
RUN npm run build -- --filter=./services/content

# The manifests of neighbours would have their packages installed as well.
FROM root AS packages
COPY packages/html/package.json packages/html/
COPY packages/markdown/package.json packages/markdown/
COPY packages/pdf/package.json packages/pdf/
COPY packages/shared/package.json packages/shared/
COPY services/content/package.json services/content/
RUN npm ci --omit=dev --workspace=services/content
# PDFs are set in two weights of the nine that the packages of fonts hold.
RUN find node_modules/@expo-google-fonts -mindepth 2 -maxdepth 2 -type d ! -name '400Regular*' ! -name '700Bold*' -exec rm -r {} +

FROM node:20-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
RUN install --directory --owner=node --group=node /data
VOLUME /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4002 OCTAVO_DATA_DIR=/data
COPY --from=packages /octavo /octavo
COPY --from=build /octavo/packages/html/dist /octavo/packages/html/dist
COPY --from=build /octavo/packages/markdown/dist /octavo/packages/markdown/dist
COPY --from=build /octavo/packages/pdf/dist /octavo/packages/pdf/dist
COPY --from=build /octavo/packages/pdf/typst /octavo/packages/pdf/typst
COPY --from=build /octavo/packages/shared/dist /octavo/packages/shared/dist
COPY --from=build /octavo/services/content/dist /octavo/services/content/dist
COPY --from=build /octavo/services/content/templates /octavo/services/content/templates
WORKDIR /octavo/services/content
USER node
EXPOSE 4002
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
