import { expect, onTestFinished } from "vitest";
import { graphqlConfig } from "../../config/config.ts";
import { checkStart } from "../../graphql/check_start.ts";
import { migrate } from "../migrate.ts";
import { createLog } from "../../runtime/log.ts";
import { openPool } from "../../runtime/database/pool.ts";
import { eventually } from "../../testing/eventually.ts";
import { check, refusal, test } from "./fixtures/startup_fixtures.ts";
import { startMarking } from "./restore_check.ts";

const message = expect.stringMatching(
  /^The database was restored from a backup: .* Run: npm run db:migrate \(docs\/backup\.md\)$/,
) as string;

/** As pg_restore in another cluster leaves it. */
const asRestored = `insert into private.installation (is_one) values (true) on conflict do nothing;
  update private.installation set origin = private.database_origin(), marked_at = now() - interval '1 day';
  update private.installation set origin.system_identifier = 1`;

function poolOf(url: string) {
  const log = createLog("test", "silent");
  const pool = openPool({ connectionString: url, max: 1, application_name: "marks" }, log);
  onTestFinished(() => pool.end());
  return { query: pool.query.bind(pool), log };
}

test("no process starts on a restored database, and the migration settles it once", async ({
  database,
  config,
  serverUrl,
  workerUrl,
}) => {
  await migrate({ ...config, production: true });
  expect(await check(serverUrl)).toEqual([]);
  await database.query(asRestored);
  await expect(check(serverUrl)).rejects.toMatchObject(refusal(message));
  await expect(check(workerUrl, { schema: "delivery" })).rejects.toMatchObject(refusal(message));
  const graphql = poolOf(config.GRAPHQL_DATABASE_URL);
  await expect(checkStart(graphqlConfig(database.env), graphql.query, graphql.log)).rejects.toMatchObject(
    refusal(message),
  );
  await expect(startMarking(poolOf(serverUrl))).rejects.toMatchObject(refusal(message));

  let lines: string[] = [];
  await migrate({ ...config, production: true }, (line) => lines.push(line));
  lines = lines.filter((line) => line.startsWith("restored"));
  expect(lines).toEqual([expect.stringMatching(/^restored: the data are of .*platform\.apply_revocations/)]);
  expect(await check(serverUrl)).toEqual([]);
  const later: string[] = [];
  await migrate({ ...config, production: true }, (line) => later.push(line));
  expect(later.join()).not.toContain("restored");
});

test("a process under which the database goes back stores that, and one that loses nothing settles a failover", async ({
  database,
  serverUrl,
}) => {
  const errors: string[] = [];
  const { query, log } = poolOf(serverUrl);
  log.error = (line: string) => errors.push(line);
  const marking = await startMarking({ query, log, everyMs: 10 });
  onTestFinished(() => marking.stop());
  const restores = () => database.query("select is_failover from private.restore");

  // One statement, so that no mark comes between.
  await database.query(
    "update private.installation set origin.timeline = 99, marked_at = marked_at - interval '10 seconds'",
  );
  await eventually("the failover is settled", async () => (await restores()).length > 0);
  expect(await restores()).toEqual([{ is_failover: true }]);
  expect(errors).toEqual([]);

  await database.query("update private.installation set marked_at = marked_at - interval '1 hour'");
  await eventually("the restore is reported", () => Promise.resolve(errors.length > 0));
  expect(errors).toEqual([message]);
  await expect(check(serverUrl)).rejects.toMatchObject(refusal(message));

  // As platform.after_restore leaves it on a machine whose clock is behind what the process has seen.
  await database.query(
    "update private.installation set restore_noticed_at = null, marked_at = clock_timestamp() - interval '10 minutes'",
  );
  await eventually("the process marks again", async () => {
    const marked = "select from private.installation where marked_at > clock_timestamp() - interval '1 minute'";
    return (await database.query(marked)).length > 0;
  });
  expect(await check(serverUrl)).toEqual([]);
});

test("a mark that was rolled back, and one that a process made up, are no proof of a restore", async ({
  database,
  serverUrl,
}) => {
  const { query } = poolOf(serverUrl);
  const mark = async (seen: string | null) =>
    (await query<{ mark: string | null }>("select startup.mark_database($1) as mark", [seen])).rows[0]?.mark ?? null;
  await database.query(
    `update private.installation
     set origin = private.database_origin(), restore_noticed_at = null, marked_at = clock_timestamp() - interval '10 minutes'`,
  );
  await query("begin");
  await mark(null);
  // It reads the mark that the first one wrote, and that nobody else will ever see.
  const lost = await mark(null);
  await query("rollback");
  expect(await mark(lost)).not.toBeNull();
  const now = new Date().toISOString().replace("T", " ").replace("Z", "000Z");
  for (const madeUp of [now, `${now} ${"0".repeat(64)}`]) {
    await database.query("update private.installation set marked_at = clock_timestamp() - interval '10 minutes'");
    expect(await mark(madeUp)).not.toBeNull();
  }
  expect(await check(serverUrl)).toEqual([]);
});
