import type { IConfiguration } from "dependency-cruiser";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./testing/temporary_folder.ts";

/** Imports that `npm run lint` refuses: by which rule, from which file, of which other one. */
const violations = [
  ["no-cycle", "runtime/one.ts", "runtime/other.ts"],
  ["imports-resolve", "runtime/lost.ts", "runtime/missing.ts"],
  ["runtime-imports-only-lower-layers", "runtime/upward.ts", "config/target.ts"],
  ["config-imports-only-lower-layers", "config/upward.ts", "db/target.ts"],
  ["db-imports-only-lower-layers", "db/upward.ts", "server/target.ts"],
  ["embedded-imports-only-lower-layers", "embedded/upward.ts", "db/target.ts"],
  ["client-imports-only-lower-layers", "client/src/upward.ts", "config/target.ts"],
  ["web-imports-only-lower-layers", "web/upward.ts", "server/target.ts"],
  ["worker-imports-only-lower-layers", "worker/upward.ts", "server/target.ts"],
  ["server-imports-only-lower-layers", "server/upward.ts", "worker/target.ts"],
  ["http-imports-only-lower-layers", "http/upward.ts", "server/target.ts"],
  ["server/queues-imports-only-lower-layers", "server/queues/upward.ts", "server/database/target.ts"],
  ["server/database-imports-only-lower-layers", "server/database/upward.ts", "server/tokens/target.ts"],
  ["server/tokens-imports-only-lower-layers", "server/tokens/upward.ts", "http/target.ts"],
  ["server/http-imports-only-lower-layers", "server/http/upward.ts", "server/rest/target.ts"],
  ["server/pages-imports-only-lower-layers", "server/pages/upward.ts", "server/rest/target.ts"],
  ["server/rest-imports-only-lower-layers", "server/rest/sideward.ts", "server/pages/target.ts"],
  ["server/rest-imports-only-lower-layers", "server/rest/other_sideward.ts", "graphql/target.ts"],
  ["server/authorization-imports-only-lower-layers", "server/authorization/up.ts", "server/rest/target.ts"],
  ["graphql-imports-only-lower-layers", "graphql/sideward.ts", "server/rest/target.ts"],
  ["graphql-imports-only-lower-layers", "graphql/inside.ts", "server/authorization/target.ts"],
  ["graphql/hasura-imports-only-lower-layers", "graphql/hasura/upward.ts", "graphql/engine/target.ts"],
  ["graphql/engine-imports-only-lower-layers", "graphql/engine/upward.ts", "graphql/transport/target.ts"],
  ["examples-imports-only-lower-layers", "examples/upward.ts", "server/target.ts"],
  ["embedded-is-imported-by-its-index", "start.ts", "embedded/target.ts"],
  ["production-imports-no-tests", "db/tested.ts", "db/some.test.ts"],
  ["production-imports-no-tests", "start.ts", "bench/target.ts"],
  ["production-imports-no-tests", "start.ts", "examples/target.ts"],
  ["production-imports-no-tests", "start.ts", "scripts/target.ts"],
  ["production-imports-no-tests", "start.ts", "testing/target.ts"],
  ["production-imports-no-development-dependency", "server/developed.ts", "node_modules/tool/index.js"],
] as const;

test("each rule about imports refuses an import that breaks it, and none that is allowed", async () => {
  const folder = temporaryFolder();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    appendFileSync(join(folder, file), text);
  };
  for (const [, , to] of violations) if (to !== "runtime/missing.ts") write(to, "export {};\n");
  for (const [, from, to] of violations) {
    const path = to.startsWith("node_modules/") ? "tool" : `./${relative(dirname(from), to)}`;
    write(from, `import ${JSON.stringify(path)};\nexport {};\n`);
  }
  write("runtime/other.ts", 'import "./one.ts";\n');
  write("server/downward.ts", 'import "../db/target.ts";\nimport "./rest/target.ts";\n');
  write("server/services.ts", 'import "./rest/target.ts";\n');
  write("server/rest/shared.ts", 'import "../services.ts";\n');
  write("db/allowed.test.ts", 'import "../server/target.ts";\n');
  write("tsconfig.json", "{}");
  write("package.json", JSON.stringify({ type: "module", devDependencies: { tool: "1.0.0" } }));
  write("node_modules/tool/package.json", JSON.stringify({ name: "tool", main: "index.js" }));

  const root = import.meta.dirname;
  const cruise = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const config = join(root, ".dependency-cruiser.js");
  const { status, stdout } = spawnSync(
    process.execPath,
    [cruise, "--config", config, "--output-type", "err", "."],
    { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
  );
  const reported = Array.from(stdout.matchAll(/^ *error (\S+): (\S+) →\s*(\S+)/gm), ([, ...parts]) =>
    parts.join(" "),
  );
  const expected = violations.map(([rule, from, to]) =>
    [rule, from, rule === "imports-resolve" ? "./missing.ts" : to].join(" "),
  );
  expect(reported.sort(), stdout).toEqual(expected.sort());
  expect(status).toBeGreaterThan(0);
  const { default: rules } = (await import(config)) as { default: IConfiguration };
  const names = rules.forbidden?.map(({ name }) => name);
  expect(new Set(violations.map(([rule]) => rule)), "every rule is broken once").toEqual(new Set(names));
});
