import { expect, onTestFinished } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { newPhone } from "../../testing/service/people.ts";
import { test as baseTest } from "../fixtures/worker_harness.ts";

// A completion waits for its lock until the other one waits too, and for 15 s at most: the worker ends statements then.
const test = baseTest.extend("databaseOptions", { scope: "file" }, () => ({ lockTimeout: "60s" }));

test("a worker that loses all of its connections continues, and takes its advisory lock again", async ({
  harness,
  database,
  gateway,
  person,
}) => {
  await harness.start();
  await harness.untilWorkerLives();
  const before = await harness.livenessPids();
  const terminated = await database.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and usename = 'latchkey_worker'`,
  );
  expect(terminated.length).toBeGreaterThanOrEqual(2);

  await harness.requestReset();
  await gateway.next(person.phone);
  await harness.untilWorkerLives(before);
});

test.for([
  { name: "completes", status: 200, remainingJobs: 0 },
  { name: "fails", status: 500, remainingJobs: 1 },
])(
  "a connection that is lost while it $name a job loses no job",
  async ({ status, remainingJobs }, { harness, database, gateway, person }) => {
    gateway.behave("silent");
    await harness.start();
    await harness.requestReset();
    await gateway.next(person.phone);
    const unlockedJobs = "select from graphile_worker._private_jobs where locked_at is null";

    const lost = Promise.withResolvers<undefined>();
    const lock = { text: "select from graphile_worker._private_jobs for update", values: [] };
    await raceBehindLock(
      database,
      lock,
      1,
      () => {
        gateway.answerLate(status);
        return lost.promise;
      },
      async () => {
        const terminated = await database.query(
          `select pg_terminate_backend(pid, 5000) from pg_stat_activity
           where datname = current_database() and usename = 'latchkey_worker' and wait_event_type = 'Lock'`,
        );
        expect(terminated).toHaveLength(1);
        lost.resolve(undefined);
      },
    );
    await eventually("the job is done, or unlocked for another attempt", async () =>
      remainingJobs === 0 ? (await harness.jobs()).length === 0 : (await database.query(unlockedJobs)).length === 1,
    );
  },
);

test("a worker whose connections are lost while they complete jobs continues to send", async ({
  harness,
  database,
  gateway,
  person,
}) => {
  const waiting = "datname = current_database() and usename = 'latchkey_worker' and wait_event_type = 'Lock'";
  await database.query(
    `create function graphile_worker.wait_for_test() returns trigger language plpgsql
       as $$ begin perform pg_advisory_xact_lock(1); return old; end $$;
     create trigger wait_for_test before delete on graphile_worker._private_jobs
       for each row execute function graphile_worker.wait_for_test()`,
  );
  onTestFinished(() => database.query("drop function graphile_worker.wait_for_test() cascade").then(() => undefined));
  await harness.start();

  const lock = { text: "select pg_advisory_xact_lock(1)", values: [] };
  await raceBehindLock(
    database,
    lock,
    2,
    async () => {
      // One after another, so that each is completed on its own connection. Nothing is sent to a phone without an
      // account.
      await harness.requestReset(newPhone());
      await eventually(
        "the first one is being completed",
        async () => (await database.query(`select from pg_stat_activity where ${waiting}`)).length === 1,
      );
      await harness.requestReset(newPhone());
      await eventually("both are completed", async () => (await harness.jobs()).length === 0);
    },
    async () => {
      const terminated = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`,
      );
      expect(terminated).toHaveLength(2);
    },
  );
  await harness.requestReset();
  await gateway.next(person.phone);
});
