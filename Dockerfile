# syntax=docker/dockerfile:1
# The service (docs/service.md) as an unprivileged user, with the Agent SDK and its Claude Code.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && npm pack --ignore-scripts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="mcp-server-claude-code" \
      org.opencontainers.image.description="An MCP server that starts, watches, approves and resumes Claude Code sessions" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.source="https://github.com/claude-code-mcp/claude-code-mcp" \
      org.opencontainers.image.licenses="MIT"
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/mcp-server-claude-code-*.tgz /tmp/package/
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/package/*.tgz \
    && rm -rf /tmp/package /root/.npm \
    && install -d -o node -g node -m 700 /home/node/.claude /home/node/state \
    && install -d -o node -g node /work
USER node
ENV CLAUDE_CONFIG_DIR=/home/node/.claude \
    CLAUDE_CODE_MCP_STATE_DIR=/home/node/state \
    DISABLE_AUTOUPDATER=1
WORKDIR /work
VOLUME ["/home/node"]
EXPOSE 8137
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s CMD ["mcp-server-claude-code", "serve", "status"]
ENTRYPOINT ["mcp-server-claude-code"]
# On other addresses the service needs TLS or a proxy: see compose.yaml.
CMD ["serve"]
