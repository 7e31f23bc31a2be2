import { expect } from "vitest";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { storedSetting } from "../testing/service/stored_setting.ts";

const heading = "From record to enforce";
const [record, look, whatIf, enforce, watch, takeOff] = documentBlocks("docs/fraud.md", heading, "sql") as [
  ...[string, string, string, string, string, string],
];

/** One decision within the documented dates, and one of now: each would be refused by the documented bounds. */
const test = baseTest.extend("decisions", { scope: "file" }, async ({ database }) => {
  await database.query(`
    insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, rule, otp_id, country_unverified, country_verified, known)
    select gen_random_uuid(), at, '+254712', 'KE', '192.0.2.1', 'LOGIN', 'recorded', 'FRAUD_COUNTRY', gen_random_uuid(), 60, 0, false
    from (values (timestamptz '2026-03-05T12:00Z'), (now() - interval '1 minute')) d (at)`);
  return 1;
});

test("the document's SQL leads from record to enforce and back", async ({ database, decisions }) => {
  await database.query(record);
  expect(await storedSetting(database, "FRAUD_BUDGET")).toMatchObject({ mode: "record", perHour: 500 });
  expect(await database.query(look)).toEqual([
    { rule: "FRAUD_COUNTRY", country: "KE", decisions: String(decisions), verified: "0" },
  ]);
  const replayed = await database.query<{ rule: string | null; refused_now: string }>(whatIf);
  expect(replayed.map(({ rule, refused_now }) => [rule, refused_now])).toContainEqual(["FRAUD_COUNTRY", "1"]);
  expect(replayed.at(-1)).toMatchObject({ rule: null, refused_now: "1" });
  await database.query(enforce);
  expect(await storedSetting(database, "FRAUD_COUNTRY")).toMatchObject({ mode: "enforce", minimum: 30 });
  await database.query("update platform.send_decision set verdict = 'refused', otp_id = null");
  expect(await database.query(watch)).toMatchObject([{ rule: "FRAUD_COUNTRY", count: String(decisions) }]);
  await database.query(takeOff);
  expect(await storedSetting(database, "FRAUD_COUNTRY")).toMatchObject({ mode: "record", minimum: 30 });
});

test("the document's command replays the documented days", async ({ database, decisions }) => {
  const [command = ""] = documentBlocks("docs/fraud.md", heading, "sh");
  const output = await runRecipe(command, database.env);
  expect(output).toMatch(new RegExp(`^FRAUD_COUNTRY +${decisions} +0 +\\d +${decisions} `, "m"));
  expect(output).toMatch(/^2026-03-05 {2}█+ 1$/m);
});
