# The reader, which shows published sites. From the root of the project: docker build -f deploy/reader.Dockerfile .
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
COPY reader reader
RUN npm run build -- --filter=./reader

# The manifests of neighbours would have their packages installed as well.
FROM root AS packages
COPY packages/html/package.json packages/html/
COPY packages/markdown/package.json packages/markdown/
COPY packages/shared/package.json packages/shared/
COPY reader/package.json reader/
RUN npm ci --omit=dev --workspace=reader

FROM node:20-bookworm-slim
# By default glibc keeps most of what is freed, and an area of memory for each thread that draws.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4005 \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=packages /octavo /octavo
COPY --from=build /octavo/packages/html/dist /octavo/packages/html/dist
COPY --from=build /octavo/packages/markdown/dist /octavo/packages/markdown/dist
COPY --from=build /octavo/packages/shared/dist /octavo/packages/shared/dist
COPY --from=build /octavo/reader/dist /octavo/reader/dist
WORKDIR /octavo/reader
USER node
EXPOSE 4005
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As the launcher limits it, in megabytes: old objects, and each half of the space for those that were just made.
CMD ["node", "--max-old-space-size=160", "--max-semi-space-size=2", "dist/main.js"]
