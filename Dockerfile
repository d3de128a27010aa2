# The server as an image: `docker build --tag azulejos .`; docs/deployment.md says how to run it.
FROM node:22-bookworm-slim AS build
# Debian keeps only the newest build of a package, so that there is no version to name.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
# The page needs what the library needs and no tests, so less than `make package` is enough.
RUN make page \
    && .venv/bin/pip install --no-cache-dir --constraint constraints.txt hatchling \
    && AZULEJOS_REQUIRE_PAGE=1 .venv/bin/hatchling build --target wheel

FROM python:3.12-slim-bookworm
COPY --from=build /build/dist/*.whl /build/constraints.txt /tmp/
# The constraints have the versions.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --no-compile --constraint /tmp/constraints.txt "$(echo /tmp/*.whl)[postgres,redis]" \
    && rm /tmp/*.whl /tmp/constraints.txt \
    && useradd --uid 8421 --create-home azulejos \
    && install --directory --owner azulejos /var/lib/azulejos /var/cache/azulejos
ENV AZULEJOS_DATA=/var/lib/azulejos \
    AZULEJOS_CACHE=/var/cache/azulejos \
    AZULEJOS_HOST=0.0.0.0
VOLUME ["/var/lib/azulejos", "/var/cache/azulejos"]
EXPOSE 8421
USER 8421
HEALTHCHECK --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8421/health')"]
ENTRYPOINT ["azulejos"]
CMD ["serve", "--log-json"]
