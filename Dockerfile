# kernel-builder in a container, see docs/operations/container.md: docker build -t kernel-builder:dev .
ARG BASE=debian:12-slim
FROM ${BASE}
# A volume at /nix keeps, beside the store, which steps had no sandbox, and what each cost. The store has what pip got.
ENV XDG_STATE_HOME=/nix/var/state XDG_CACHE_HOME=/nix/var/cache PIP_NO_CACHE_DIR=1
COPY . /opt/kernel-builder
# While an image is made, nothing may make a sandbox. Each container tries anew.
RUN /opt/kernel-builder/install.sh --no-sandbox && apt-get clean && rm -rf /var/lib/apt/lists/*
WORKDIR /kernelcode
ENTRYPOINT ["/opt/kernel-builder/install/container.sh"]
