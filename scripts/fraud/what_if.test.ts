import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, describe, test as plainTest } from "vitest";
import { childEnvironment } from "../../testing/child_environment.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { parseArguments } from "./fraud_arguments.ts";
import { formatReport, totals } from "./report.ts";

/** `run` runs the command against a database with decisions of two days. */
const test = baseTest
  .extend("decisions", { scope: "file" }, async ({ database }) => {
    await database.query(`
      insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id, country_unverified, country_verified, known, verified_at)
      select gen_random_uuid(), '2026-03-01T23:00:00Z'::timestamptz + n * interval '6 minutes', '+1212', 'US', '192.0.2.1', 'LOGIN', 'allowed',
        gen_random_uuid(), n, 0, false, case when n = 15 then now() end
      from generate_series(0, 19) n`);
    return true;
  })
  .extend("run", { scope: "file" }, ({ database, decisions: _ }) => async (args: string[], env: object = {}) => {
    const child = spawn(process.execPath, ["scripts/fraud/main.ts", ...args], {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...childEnvironment(), ...database.env, ...env },
    });
    const output = { out: "", error: "", code: 0 };
    child.stdout.on("data", (chunk) => (output.out += String(chunk)));
    child.stderr.on("data", (chunk) => (output.error += String(chunk)));
    const [code] = (await once(child, "close")) as [number];
    return { ...output, code };
  });

const days = ["--from", "2026-03-01", "--to", "2026-03-03"];
const enforced = `FRAUD_COUNTRY={"mode":"enforce","minimum":8,"factor":3,"exempt":[]}`;

test("what-if prints what each rule would have refused, and how much on each day", async ({ run }) => {
  const { out, error, code } = await run(["what-if", ...days, "--set", enforced]);
  expect({ error, code }).toEqual({ error: "", code: 0 });
  const lines = out.split("\n");
  expect(lines[0]!.split(/ {2,}/)).toEqual([
    "rule",
    "decisions",
    "unknown",
    "refused then",
    "refused now",
    "saved",
    "SMS saved",
    "hurt",
  ]);
  expect(
    lines
      .find((line) => line.startsWith("FRAUD_COUNTRY"))!
      .split(/ +/)
      .slice(1),
  ).toEqual(["20", "0", "0", "12", "0", "12", "1"]);
  expect(
    lines
      .find((line) => line.startsWith("all together"))!
      .split(/ +/)
      .slice(2),
  ).toEqual(["20", "0", "0", "12", "0", "12", "1"]);
  // n from 8 to 9 on the first day, from 10 to 19 on the second.
  expect(lines).toContain(`2026-03-01  ${"█".repeat(8)} 2`);
  expect(lines).toContain(`2026-03-02  ${"█".repeat(40)} 10`);
});

test("what-if changes nothing, and without --set replays the settings in force", async ({ run, database }) => {
  const count = () => database.query("select count(*) from platform.send_decision where verdict = 'allowed'");
  const before = await count();
  const { out, code } = await run(["what-if", ...days]);
  expect(code).toBe(0);
  expect(out).toMatch(/^all together +20 +0 +0 +0 +0 +0 +0$/m);
  expect(await count()).toEqual(before);
});

test.for([
  [["what-if", "--set", 'FRAUD_COUNTRY={"mode":"on"}'], "FRAUD_COUNTRY: must be an object with the members of"],
  [["what-if", "--set", "FRAUD_COUNTRI={}"], "FRAUD_COUNTRI: there is no such fraud rule"],
  [["what-if", "--set", "FRAUD_COUNTRY={mode: on}"], "--set FRAUD_COUNTRY: the value must be JSON."],
  [["what-if", "--from", "yesterday"], "--from must be a day or time such as 2026-03-01"],
  [[], "Usage: npm run fraud -- what-if"],
] as const)("%j ends with code 1 and a sentence", async ([args, sentence], { run }) => {
  const { out, error, code } = await run([...args]);
  expect({ out, code }).toEqual({ out: "", code: 1 });
  expect(error).toContain(sentence);
  expect(error).not.toContain("    at ");
});

test("a database that is unavailable, and a missing address, are reported with a sentence", async ({ run }) => {
  const away = await run(["what-if"], {
    GRAPHQL_DATABASE_URL: "postgres://latchkey_graphql:x@127.0.0.1:1/none",
  });
  expect(away.code).toBe(1);
  expect(away.error).toMatch(/^PostgreSQL did not answer: /);
  const missing = await run(["what-if"], { DATABASE_URL: "", LATCHKEY_HOME: temporaryFolder() });
  expect(missing.code).toBe(1);
  expect(missing.error).toContain("GRAPHQL_DATABASE_URL is not set");
});

test("outside production the database of npm start is found", async ({ run }) => {
  const home = temporaryFolder();
  mkdirSync(join(home, "secrets"));
  writeFileSync(join(home, "secrets", "DATABASE_URL"), "postgres://latchkey_migrator:x@127.0.0.1:1/none");
  const { error } = await run(["what-if"], { DATABASE_URL: "", LATCHKEY_HOME: home });
  expect(error).toMatch(/^PostgreSQL did not answer: /);
});

describe("the command line", () => {
  const now = new Date("2026-03-08T12:00:00Z");

  plainTest("begins seven days before its end, which is now", () => {
    const { from, to, settings } = parseArguments(["what-if"], now);
    expect([from, to, settings]).toEqual([new Date("2026-03-01T12:00:00Z"), now, {}]);
  });

  plainTest("takes days in UTC, times with an offset, and several rules", () => {
    const args = ["--from", "2026-03-01", "--to", "2026-03-02T01:30+01:00", "--set", "A={}", "--set", 'B={"x": "a=b"}'];
    expect(parseArguments(["what-if", ...args])).toEqual({
      from: new Date("2026-03-01T00:00:00Z"),
      to: new Date("2026-03-02T00:30:00Z"),
      settings: { A: {}, B: { x: "a=b" } },
    });
  });

  plainTest.each([
    [["what-if", "--from", "2026-03-02", "--to", "2026-03-02"], "--from must be earlier than --to."],
    [["what-if", "--from", "2026-02-31T00:00"], "--from must be a day or time"],
    [["what-if", "--set", "FRAUD_COUNTRY"], "--set must be a rule and its value"],
    [["what-if", "--since", "2026-03-02"], "--since"],
    [["what-now"], "Usage: "],
  ])("refuses %j", (args, sentence) => {
    expect(() => parseArguments(args)).toThrow(OperatorError);
    expect(() => parseArguments(args)).toThrow(sentence);
  });
});

describe("the report", () => {
  const counts = {
    decisions: 2,
    unknown: 1,
    refused_then: 0,
    refused_now: 0,
    saved: 0,
    saved_messages: 0,
    hurt: 0,
  };

  plainTest("sums each rule over the days", () => {
    const day = {
      from: new Date("2026-03-01"),
      rows: [
        { rule: "A", ...counts },
        { rule: null, ...counts, hurt: 1 },
      ],
    };
    expect(totals([day, day])).toEqual([
      { rule: "A", ...counts, decisions: 4, unknown: 2 },
      { rule: null, ...counts, decisions: 4, unknown: 2, hurt: 2 },
    ]);
  });

  plainTest("has a day without a bar where nothing is refused", () => {
    const report = formatReport([{ from: new Date("2026-03-01"), rows: [{ rule: null, ...counts }] }]);
    expect(report).toContain("2026-03-01   0\n");
  });
});
