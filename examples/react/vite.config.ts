import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The page calls /api on its own origin, as behind the reverse proxy of a real installation. */
export default defineConfig({
  root: import.meta.dirname,
  server: { proxy: { "/api": process.env.LATCHKEY_URL ?? "http://localhost:3000" } },
  // In a project of your own the package is installed, and this is not needed.
  resolve: {
    alias: { "@latchkey/client": fileURLToPath(new URL("../../client/src/index.ts", import.meta.url)) },
  },
});
