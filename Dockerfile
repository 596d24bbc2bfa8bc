# The exact version: the compile cache is good for the node that wrote it and for no other.
ARG BASE_IMAGE=node:24.21.0-bookworm-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /source
COPY package.json package-lock.json ./
# Whoever needs an npm configuration or a CA for the registry hands them in as secrets: they stay out of every layer.
RUN --mount=type=secret,id=npmrc --mount=type=secret,id=registry-ca \
    NPM_CONFIG_USERCONFIG=/run/secrets/npmrc npm ci --ignore-scripts
COPY scripts/build.ts scripts/
COPY deploy/crd.yaml deploy/
COPY src src
COPY LICENSE dist/
RUN npm run build

# Runs the operator for a moment, as the image will, and gathers what the image is made of.
FROM ${BASE_IMAGE} AS warm
COPY --from=build /source/dist /operator
RUN mkdir /operator/cache \
 && chown 65532:65532 /operator/cache
COPY Dockerfile scripts/image/warm.ts /warm/
USER 65532:65532
RUN ["/usr/local/bin/node", "/warm/warm.ts", "/operator/cache"]
USER 0:0
RUN mkdir -p /image/system /image/operator \
 && cp --parents --dereference --preserve=timestamps -t /image/system \
      /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ )]*') \
 && cp --recursive --parents --preserve=timestamps -t /image/operator /operator \
 && chown -R 0:0 /image \
 && chmod -R u=rwX,go=rX /image

FROM scratch
LABEL org.opencontainers.image.title="second-cron-job-operator"
LABEL org.opencontainers.image.description="Kubernetes Jobs on a schedule of seconds"
LABEL org.opencontainers.image.licenses="Apache-2.0"
LABEL org.opencontainers.image.version="0.1.0"
COPY --from=warm /image/system /
COPY --from=warm /image/operator /
ENV NODE_COMPILE_CACHE=/operator/cache
ENV MALLOC_ARENA_MAX=1
ENV MALLOC_TRIM_THRESHOLD_=65536
USER 65532:65532
EXPOSE 44444
ENTRYPOINT ["/usr/local/bin/node","--max-semi-space-size=1","--max-old-space-size=192","--v8-pool-size=1","--disable-proto=delete","/operator/operator.js"]
CMD ["run"]
