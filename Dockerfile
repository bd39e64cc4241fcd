# The command line with @kubernetes/client-node, for docs/deploy. Build it from the root of the repository:
#   docker build -t kube-endpoints .
# BASE_IMAGE is any image with Node.js 22.12 or later.
ARG BASE_IMAGE=node:24-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm pack --ignore-scripts --workspace kubectl-endpoints --pack-destination /tmp
RUN npm install --prefix /app --omit=dev /tmp/kubectl-endpoints-*.tgz @kubernetes/client-node

FROM ${BASE_IMAGE}
COPY --from=build /app /app
ENV NODE_ENV=production
USER 65532:65532
ENTRYPOINT ["node", "/app/node_modules/kubectl-endpoints/dist/bin.js"]
