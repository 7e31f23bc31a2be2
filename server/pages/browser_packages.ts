import { dirname, join } from "node:path";

const installed = join(import.meta.dirname, "../../node_modules");

/** The packages that pages may import by name, with the file that browsers load. */
const packages = {
  "@preact/signals": "@preact/signals/dist/signals.mjs",
  "@preact/signals-core": "@preact/signals-core/dist/signals-core.mjs",
  "@simplewebauthn/browser": "@simplewebauthn/browser/esm/index.js",
  "graphql-ws/client": "graphql-ws/dist/client.js",
  htm: "htm/dist/htm.mjs",
  "htm/preact": "htm/preact/index.mjs",
  "idb-keyval": "idb-keyval/dist/index.js",
  "lean-qr": "lean-qr/index.mjs",
  "lean-qr/extras/svg": "lean-qr/extras/svg.mjs",
  preact: "preact/dist/preact.mjs",
  "preact/hooks": "preact/hooks/dist/hooks.mjs",
  uplot: "uplot/dist/uPlot.esm.js",
};

/** Loaded by a script element, or as a stylesheet. */
const others = ["redoc/bundles/redoc.standalone.js", "uplot/dist/uPlot.min.css"];

/** Packages are served from their folders, so that a file finds those that it imports itself. */
export const packageFolders = new Map(
  [...Object.values(packages), ...others].map((file) => [
    `/static/packages/${dirname(file)}`,
    join(installed, dirname(file)),
  ]),
);

/** The import map of every page with modules: from an import's name to its URL. */
export const importMap = JSON.stringify({
  imports: {
    "@latchkey/client": "/static/client/index.ts",
    ...Object.fromEntries(Object.entries(packages).map(([name, file]) => [name, `/static/packages/${file}`])),
  },
});
