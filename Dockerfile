FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /latchkey
COPY package.json package-lock.json ./
# The image's own Node is the right one, and its PostgreSQL is elsewhere: no install script is needed.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
COPY . .
USER node
EXPOSE 3000
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "--no-parallel-scavenge", "server/main.ts"]
