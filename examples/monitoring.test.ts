import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { documentSection } from "../testing/documents/document_blocks.ts";
import { boldItems, unquoted } from "../testing/documents/markdown.ts";
import { eventually } from "../testing/eventually.ts";
import { test as serviceTest } from "../testing/fixtures.ts";
import { askGraphql, adminOf } from "../testing/graphql/graphql_client.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { logIn, newPhone, signUp } from "../testing/service/people.ts";
import { bearer } from "../testing/service/rest_client.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

const folder = join(import.meta.dirname, "monitoring");
const ruleTests = ["alerts_test.yml", "thresholds_test.yml"];
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

interface RuleFile {
  groups: { rules: { alert?: string; expr: string }[] }[];
}
interface RuleTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const rules = (parse(read("alerts.yml")) as RuleFile).groups.flatMap(({ rules: ofGroup }) => ofGroup);
const alerts = rules.flatMap(({ alert }) => alert ?? []).sort();

test("docs/monitoring.md says of each alert what it means, and promtool's tests have it firing and silent", () => {
  const explained = boldItems(documentSection("docs/monitoring.md", "Alerts")).map(([name]) => unquoted(name));
  expect(explained.sort()).toEqual(alerts);
  const checks = ruleTests.flatMap((file) =>
    (parse(read(file)) as RuleTests).tests.flatMap(({ alert_rule_test: of }) => of),
  );
  const tested = (fires: boolean) =>
    checks.filter(({ exp_alerts: expected }) => expected.length > 0 === fires).map(({ alertname }) => alertname);
  expect([...new Set(tested(true))].sort()).toEqual(alerts);
  expect([...new Set(tested(false))].sort()).toEqual(alerts);
});

test.skipIf(isMissing("promtool"))("the alerts are rules of Prometheus that fire when they should", () => {
  for (const args of [
    ["check", "rules", "alerts.yml"],
    ["test", "rules", ...ruleTests],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("SUCCESS")]);
  }
});

/** Runs Prometheus on a free port and returns a function that resolves with the series of a query. */
async function startPrometheus(targets: string[]): Promise<(query: string) => Promise<unknown[]>> {
  const home = temporaryFolder();
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(folder, "alerts.yml")],
    scrape_configs: [{ job_name: "latchkey", static_configs: [{ targets }] }],
  };
  // JSON is YAML.
  writeFileSync(join(home, "prometheus.yml"), JSON.stringify(config));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(home, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(home, "data")}`,
      "--web.listen-address=127.0.0.1:0",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await eventually("Prometheus has ended", () => child.exitCode !== null || child.signalCode !== null);
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const address = () => /msg="Listening on" address=(\S+)/.exec(output)?.[1];
  await eventually("Prometheus listens", () => address() !== undefined || child.exitCode !== null);
  const isReady = () => fetch(`http://${address() ?? output}/-/ready`).then(({ ok }) => ok);
  await eventually("Prometheus is ready", isReady);
  return async (query) => {
    const response = await fetch(
      `http://${address() ?? output}/api/v1/query?${new URLSearchParams({ query }).toString()}`,
    );
    const body = (await response.json()) as { status: string; error?: string; data?: { result: unknown[] } };
    if (body.status !== "success") throw new Error(`${query}: ${body.error}`);
    return body.data?.result ?? [];
  };
}

const withMetrics = serviceTest.extend("serviceOptions", { scope: "file" }, () => ({ env: { OPERATIONS_PORT: "0" } }));

withMetrics.skipIf(isMissing("prometheus"))(
  "Prometheus reads the three programs, and every query of the dashboard and of the alerts finds what it asks for",
  async ({ service, database, client }) => {
    const urls = await Promise.all(
      (["server", "graphql", "worker"] as const).map((program) => service.metricsUrlOf(program)),
    );
    const query = await startPrometheus(urls.map((url) => new URL(url).host));
    const seriesOf = (each: string) => query(each).then(({ length }) => length);
    await eventually("all are read", async () => (await seriesOf('up{job="latchkey"} == 1')) === 3);

    // A rate needs a series that was there before: so each happens again until the queries have found it.
    const person = await signUp(service);
    const act = async () => {
      await database.query("delete from platform.rate_limit");
      const { access_token } = await logIn(service, person);
      await client.post("/auth/logout", undefined, bearer(access_token));
      await client.post("/auth/login", { phone: person.phone, password: "not this one" });
      await client.sendOtp(newPhone());
      await database.query(
        "update platform.send_decision set at = at - interval '6 minutes' where at > now() - interval '6 minutes'",
      );
      await client.sendOtp(newPhone(), "LOGIN");
      const [account] = await database.query<{ id: string }>(`select id from "user".account limit 1`);
      await askGraphql(service.url, adminOf(database))(
        "mutation ($id: uuid!) { revoke_sessions_of(user_id: $id) { id } }",
        {
          id: account?.id,
        },
      );
    };
    const { panels } = JSON.parse(read("dashboard.json")) as Dashboard;
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    // Nothing is over a limit here.
    const empty = new Set<string>(queries.filter((each) => each.includes("latchkey_limits_hit_total")));
    let missing: string[] = queries;
    await eventually("every query of the dashboard has a result", async () => {
      await act();
      const found = await Promise.all(missing.map((each) => seriesOf(each)));
      missing = missing.filter((each, position) => found[position] === 0 && !empty.has(each));
      return missing.length === 0;
    }).catch((error: unknown) => {
      throw new Error(`no result: ${missing.join("\n")}`, { cause: error });
    });
    for (const each of empty) expect(await query(each)).toEqual([]);

    // Those of the alerts compare, so their parts are asked for.
    const named = rules.flatMap(({ expr }) => expr.match(/\b(?:latchkey_\w+|latchkey:\w+:\w+|up)\b/g) ?? []);
    for (const name of new Set(named)) await eventually(`${name} has a series`, async () => (await seriesOf(name)) > 0);
  },
);
