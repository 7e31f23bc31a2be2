/** Layers of the code: which folder may import which. `npm run lint` checks them. */

const production = "^(start\\.ts$|(server|graphql|http|worker|db|config|runtime|embedded|web|client/src)/)";
const tests = "\\.test\\.ts$|/fixtures/|^tests/";
const ownCode =
  "^(start\\.ts$|(server|graphql|http|worker|db|config|runtime|embedded|web|client|tests|testing|bench|scripts|examples)/)";

const forbidden = (name, from, to) => ({ name, severity: "error", from, to });

/** The production code of this folder may import only the folder itself and the lower layers: folders or files. */
const layer = (folder, ...lowerLayers) =>
  forbidden(
    `${folder}-imports-only-lower-layers`,
    { path: `^${folder}/`, pathNot: tests },
    { path: ownCode, pathNot: [folder, ...lowerLayers].map((name) => `^${name}(/|$)`) },
  );

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    forbidden("no-cycle", {}, { circular: true }),
    // These are packages of their own, which npm ci does not install.
    forbidden("imports-resolve", { pathNot: "^(bench/peers|testing/foreign)/" }, { couldNotResolve: true }),
    layer("runtime"),
    layer("config", "runtime"),
    layer("db", "config", "runtime"),
    layer("embedded", "config", "runtime"),
    layer("client"),
    layer("web", "client/src"),
    layer("http", "config", "runtime"),
    // Of HTTP it has the port of its metrics alone.
    layer("worker", "http/operations.ts", "db", "config", "runtime"),
    layer("graphql", "http", "db", "config", "runtime"),
    layer(
      "graphql/hasura",
      "graphql/refusal.ts",
      "graphql/request_limits.ts",
      "graphql/authorization/caller.ts",
      "runtime",
    ),
    layer(
      "graphql/engine",
      "graphql/hasura",
      "graphql/refusal.ts",
      "graphql/request_limits.ts",
      "graphql/turns.ts",
      "graphql/authorization",
      "http",
      "config",
      "runtime",
    ),
    layer("server", "http", "db", "config", "runtime"),
    layer("server/database", "runtime"),
    layer("server/passwords", "server/database", "config", "runtime"),
    layer("server/factors", "server/database", "config"),
    layer("server/passkeys", "server/database", "runtime"),
    layer("server/proofs", "server/database", "http", "config", "runtime"),
    layer("server/tokens", "server/database", "config", "runtime"),
    layer("server/http", "server/tokens", "server/database", "http", "config", "runtime"),
    layer("server/pages", "server/http", "server/database", "http", "config", "runtime"),
    layer(
      "server/authorization",
      "server/services.ts",
      "server/http",
      "server/tokens",
      "server/database",
      "http",
      "runtime",
    ),
    layer(
      "server/rest",
      "server/services.ts",
      "server/http",
      "server/tokens",
      "server/passwords",
      "server/factors",
      "server/passkeys",
      "server/proofs",
      "server/database",
      "http",
      "config",
      "runtime",
    ),
    layer("examples", "client/src"),
    forbidden(
      "embedded-is-imported-by-its-index",
      { pathNot: "^embedded/" },
      { path: "^embedded/", pathNot: "^embedded/index\\.ts$" },
    ),
    forbidden(
      "production-imports-no-tests",
      { path: production, pathNot: tests },
      { path: `^(testing|bench|scripts|examples)/|${tests}` },
    ),
    forbidden(
      "production-imports-no-development-dependency",
      { path: production, pathNot: tests },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // graphiql_client.js imports files that only the browser can resolve.
    exclude: { path: "(^|/)(\\.cache|\\.latchkey)/|^client/dist/|graphiql_client\\.js$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
