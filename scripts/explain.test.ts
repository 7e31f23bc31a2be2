import { childEnvironment } from "../testing/child_environment.ts";
import { queueOtp } from "../testing/queued_otp.ts";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { adminDatabaseUrl } from "../config/admin_database.ts";
import type { Environment } from "../config/environment.ts";
import { isolatedTest } from "../db/fixtures/database_fixtures.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { test } from "../testing/fixtures.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { parseArguments } from "./explain/explain_arguments.ts";
import { formatStory, readStory } from "./explain/printed_story.ts";

const root = join(import.meta.dirname, "..");

/** Runs the script as npm does. */
function explain(args: string[], env: Environment) {
  const options = { cwd: root, encoding: "utf8", env: { ...childEnvironment(), ...env } } as const;
  return spawnSync(process.execPath, ["scripts/explain.ts", ...args], options);
}

describe("npm run explain", () => {
  test("prints the story of a phone, however it is written, and exits with 0", async ({ database }) => {
    const [otp] = await database.query<{ id: string; message: { attempt_id: string; body: string } }>(
      `select o.id, row_to_json(delivery.issue_otp_code(o.id, decode(repeat('42', 32), 'hex'), '{}')) as message
       from ${queueOtp("'+4915112345678'", { at: "clock_timestamp()" })} o`,
    );
    const { id, message } = otp!;
    await database.query(
      "select delivery.record_attempt($1, 'refused', 'SM1', E'code 21211 \\x1b[31m', null, null, 812, null)",
      [message.attempt_id],
    );
    const { status, stdout, stderr } = explain(["+49 151 1234 5678", "--since", "2h"], database.env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^\+4915112345678: codes that were requested in the last 2h/);
    expect(stdout).toMatch(
      new RegExp(`^[-0-9]{10} [:0-9]{8} {2}${id.slice(-6)} {2}A code was requested for LOGIN\\.$`, "m"),
    );
    expect(stdout).toContain("console refused to send this message to this recipient (sms).");
    // The escape character would change the terminal's color.
    expect(stdout).toContain("vendor's error: code 21211 ?[31m; vendor's message id: SM1");
    expect(stdout).not.toContain(message.body);
  });

  test("runs as docs/repair.md writes it", async ({ database }) => {
    const [command = ""] = documentBlocks("docs/repair.md", '"I never got my SMS"', "sh");
    expect(await runRecipe(command, database.env)).toContain("No code was requested for +12125550123 in the last 24h");
  });

  test("says that nothing is known of a phone, and of an email address", async ({ database }) => {
    const story = async (args: string[]) => {
      const request = parseArguments(args);
      return formatStory(request, await readStory(adminDatabaseUrl(database.env), request));
    };
    const nothing = "No code was requested for";
    expect(await story(["+12025550199"])).toContain(
      `${nothing} +12025550199 in the last 24h, and nothing is refused now. ` +
        "A request that its client's limit refused is in the server's log only, which npm start writes with LOG_LEVEL=info. One that a fraud rule " +
        "refused is in platform.send_decision, without the phone (docs/repair.md#i-never-got-my-sms).",
    );
    expect(await story([" Nobody@Example.ORG"])).toContain(`${nothing} nobody@example.org in the last 24h`);
    await database.query(`select ${queueOtp("'+12025550198'", { at: "now() - interval '3 hours'" })}`);
    expect(await story(["+12025550198", "--since", "179m"])).toContain(nothing);
    expect(await story(["+12025550198", "--since", "4h"])).toContain("requested for LOGIN");
  });

  test("prints what refused a request, or why nothing is stored of it", async ({ database }) => {
    await database.query(
      `select set_config('latchkey.request', '{"request_id": "of-a-test"}', false);
       select api.log_in('+12025550196', 'wrong', '192.0.2.1', null, null, null);
       select set_config('latchkey.request', '', false)`,
    );
    const { status, stdout, stderr } = explain(["--request", " of-a-test "], database.env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^of-a-test: what refused this request\n/);
    expect(stdout).toContain("The password was refused: it is wrong, or no account has this phone or email.");
    expect(explain(["--request", "another"], database.env).stdout).toContain("No refusal of this request is stored.");
  });

  test.for([
    { args: [], message: /^A phone or an email address is missing\. Usage:/ },
    {
      args: ["0151 12345678"],
      message: /^0151 12345678 is neither a valid phone.* nor an email address\. Usage:/,
    },
    { args: ["someone@"], message: /^someone@ is neither/ },
    {
      args: ["+12025550101", "--since", "yesterday"],
      message: /^--since yesterday is not valid: write a number and m, h or d/,
    },
    { args: ["+12025550101", "--since", "0h"], message: /^--since 0h is not valid/ },
    { args: ["+12025550101", "--since", "3651d"], message: /^--since 3651d is not valid/ },
    { args: ["+12025550101", "--until", "1h"], message: /^Unknown option '--until'.*\nUsage:/ },
    { args: ["+12025550101", "--request", "one"], message: /^--request takes the place of the phone/ },
    { args: ["--request", "one", "--since", "24h"], message: /^--request takes the place .* of --since/ },
    { args: ["--request", "a b"], message: /^a b is no id of a request: the header X-Request-Id .*Usage:/ },
    { args: ["--request", "x".repeat(129)], message: /^x{129} is no id of a request/ },
  ])("refuses $args with a sentence", ({ args, message }) => {
    expect(() => parseArguments(args)).toThrow(
      expect.objectContaining({
        name: "OperatorError",
        message: expect.stringMatching(message) as string,
      }) as Error,
    );
  });

  test("exits with 1 after such a sentence", () => {
    const { status, stdout, stderr } = explain(["0151 12345678"], {});
    expect(stderr).toMatch(/^0151 12345678 is neither a valid phone[^\n]*\n$/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  });

  test("says which variable is missing in production, and which database does not answer", ({ database }) => {
    const missing = explain(["+12025550101"], {
      NODE_ENV: "production",
      DATABASE_URL: database.env.DATABASE_URL,
    });
    expect(missing.stderr).toContain("GRAPHQL_DATABASE_URL is not set");
    const away = explain(["+12025550101"], {
      GRAPHQL_DATABASE_URL: "postgres://latchkey_graphql:x@127.0.0.1:1/x",
    });
    expect(away.stderr).toMatch(/^The database that GRAPHQL_DATABASE_URL names did not answer: .*ECONNREFUSED/);
    expect([missing.status, away.status]).toEqual([1, 1]);
  });

  test("outside production finds the database of npm start, and without one names the variable", ({ database }) => {
    const { DATABASE_URL } = database.env;
    const home = temporaryFolder();
    expect(() => adminDatabaseUrl({ LATCHKEY_HOME: home })).toThrow("GRAPHQL_DATABASE_URL is not set");
    const derived = /^postgres:\/\/latchkey_graphql:[^@]+@/;
    expect(adminDatabaseUrl({ DATABASE_URL, LATCHKEY_HOME: home })).toMatch(derived);
    writeFileSync(join(home, "secrets", "DATABASE_URL"), DATABASE_URL!);
    const url = adminDatabaseUrl({ LATCHKEY_HOME: home });
    expect(url).toMatch(derived);
    expect(new URL(url).pathname).toBe(`/${database.name}`);
  });

  isolatedTest("reads as the admin and writes nothing", async ({ database }) => {
    const request = parseArguments(["+12025550197"]);
    await database.query(
      `create or replace function platform.explain_delivery(phone text, since timestamptz) returns setof platform.delivery_event
       language sql volatile as $$ select now(), current_user || ' ' || current_setting('transaction_read_only'), null::uuid, null::text $$;
       alter function platform.explain_delivery(text, timestamptz) security invoker`,
    );
    const events = await readStory(adminDatabaseUrl(database.env), request);
    expect(events.map(({ what }) => what)).toEqual(["latchkey_admin on"]);
    expect(formatStory(request, events)).toMatch(/ {10}latchkey_admin on$/);
  });
});
