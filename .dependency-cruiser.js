/** The floors of the house: which folder may import which. `npm run lint` holds them. */

const production = "^(start\\.ts$|(server|worker|db|config|runtime|embedded)/)";
const tests = "\\.test\\.ts$|/(fixtures|flows)/";
const ours = "^(start\\.ts$|(server|worker|db|config|runtime|embedded|testing|bench|scripts)/)";

const forbidden = (name, from, to) => ({ name, severity: "error", from, to });

/** A folder whose production code imports only itself and the folders named. */
const floor = (folder, ...below) =>
  forbidden(
    `${folder}-imports-only-what-lies-below`,
    { path: `^${folder}/`, pathNot: tests },
    { path: ours, pathNot: [folder, ...below].map((name) => `^${name}/`) },
  );

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    forbidden("no-cycle", {}, { circular: true }),
    forbidden("found", {}, { couldNotResolve: true }),
    floor("runtime"),
    floor("config", "runtime"),
    floor("db", "config", "runtime"),
    floor("embedded", "config", "runtime"),
    floor("worker", "db", "config", "runtime"),
    floor("server", "db", "config", "runtime"),
    floor("server/queues", "runtime"),
    floor("server/database", "server/queues", "runtime"),
    floor("server/tokens", "server/database", "config", "runtime"),
    floor("server/http", "server/tokens", "server/database", "server/queues", "config", "runtime"),
    // GraphQL asks authorization; else the three know nothing of each other.
    forbidden(
      "rest-stands-alone",
      { path: "^server/rest/", pathNot: tests },
      { path: "^server/(graphql|authorization)/" },
    ),
    forbidden(
      "authorization-stands-alone",
      { path: "^server/authorization/", pathNot: tests },
      { path: "^server/(graphql|rest)/" },
    ),
    forbidden(
      "graphql-uses-authorization-alone",
      { path: "^server/graphql/", pathNot: tests },
      { path: "^server/rest/" },
    ),
    forbidden(
      "embedded-has-one-door",
      { pathNot: "^embedded/" },
      { path: "^embedded/", pathNot: "^embedded/index\\.ts$" },
    ),
    forbidden(
      "production-imports-no-tests",
      { path: production, pathNot: tests },
      { path: `^(testing|bench|scripts)/|${tests}` },
    ),
    forbidden(
      "production-imports-no-development-dependency",
      { path: production, pathNot: tests },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // console_client.js imports what the browser finds beside it.
    exclude: { path: "^(\\.cache|\\.latchkey)/|console_client\\.js$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
