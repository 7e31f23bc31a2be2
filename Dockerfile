FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /latchkey
COPY package.json package-lock.json ./
COPY client/package.json client/
# No install script is needed: the image contains Node, and PostgreSQL runs in another container.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
COPY . .
USER node
EXPOSE 3000
CMD ["node", "server/main.ts"]
