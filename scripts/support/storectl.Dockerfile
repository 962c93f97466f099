# The container image of storectl. scripts/release.sh replaces the names in capital letters between two at signs.
#
#   docker build -t storectl .
#   docker run --rm -v "$PWD:/data" storectl status -s sqlite:games.sqlite
FROM @SYSTEM@
LABEL org.opencontainers.image.title="storectl" \
      org.opencontainers.image.version="@VERSION@" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="@REPOSITORY@"
# amd64 or arm64, as in the names of Debian packages.
ARG TARGETARCH
COPY storectl_*_${TARGETARCH}.deb /tmp/
# Certificates, for TLS connections that verify the server's.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates /tmp/storectl_*.deb \
    && rm -rf /var/lib/apt/lists/* /tmp/storectl_*.deb \
    && useradd --create-home store
USER store
WORKDIR /data
ENTRYPOINT ["storectl"]
CMD ["help"]
