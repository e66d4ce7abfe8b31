# Kiln in a container; docs/production.md says how to run it.
#
# Built by the project's own scripts. First what seldom changes (Debian's packages and the release
# build of RocksDB), so that a change of the sources compiles the sources only.
FROM debian:bookworm-slim AS build
WORKDIR /kiln
# A new layer has nothing to find in a cache, and keeps what is put there.
ENV CCACHE_DISABLE=1
COPY scripts/setup scripts/setup
RUN scripts/setup
COPY . .
RUN cmake --preset release -DBUILD_TESTING=OFF \
 && scripts/build release kiln \
 && strip build/release/kiln

FROM debian:bookworm-slim
# What `ldd build/release/kiln` names, and no more.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      libfmt9 libicu72 libjemalloc2 liblz4-1 libroaring0 libspdlog1.10 libstdc++6 libxxhash0 \
      libyaml-cpp0.7 libzstd1 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
 && groupadd --system --gid 10001 kiln \
 && useradd --system --no-log-init --uid 10001 --gid kiln --home-dir /data --no-create-home kiln \
 && install -d -o kiln -g kiln /data
COPY config/production.yaml /etc/kiln/production.yaml
COPY --from=build /kiln/build/release/kiln /usr/local/bin/kiln
# Fails the build, not the start, where a library is missing.
RUN kiln --version
# By number, so that it can be seen not to be root. The data are ./data/index of production.yaml.
USER 10001:10001
WORKDIR /
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["kiln", "health", "--config", "/etc/kiln/production.yaml"]
ENTRYPOINT ["kiln", "--config", "/etc/kiln/production.yaml"]
