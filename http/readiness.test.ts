import pg from "pg";
import { expect, test } from "vitest";
import { collectLog } from "../testing/log_lines.ts";
import { createReadiness, type ReadinessCheck } from "./readiness.ts";
import { UnavailableError } from "../runtime/database/errors.ts";

const all = { failed: [], undelivered: [] };

function setUp(check: () => Promise<ReadinessCheck>) {
  const { log, lines } = collectLog();
  const listener = { connected: true, isConnected: () => listener.connected };
  let time = 0;
  let calls = 0;
  const counted = () => {
    calls++;
    return check();
  };
  let renewals = 0;
  const renewReads = () => {
    renewals++;
  };
  const readiness = createReadiness({ check: counted, renewReads, listener, log, now: () => time });
  const wait = (ms: number) => (time += ms);
  return { readiness, listener, lines, calls: () => calls, renewals: () => renewals, wait };
}

test("a flood of probes costs one call per second", async () => {
  const { readiness, calls, wait } = setUp(() => Promise.resolve(all));
  const flood = () => Promise.all(Array.from({ length: 1_000 }, () => readiness.failed()));
  await flood();
  await flood();
  wait(999);
  await flood();
  expect(calls()).toBe(1);
  wait(1);
  await flood();
  expect(calls()).toBe(2);
});

test("a flood of probes while the database is unavailable costs one call per second too", async () => {
  const { readiness, calls } = setUp(() => Promise.reject(new UnavailableError("away")));
  for (let count = 0; count < 100; count++) expect(await readiness.failed()).toEqual(["database"]);
  expect(calls()).toBe(1);
});

test("a database that does not answer within a second is named", async () => {
  const { readiness } = setUp(() => new Promise(() => undefined));
  expect(await readiness.failed()).toEqual(["database"]);
});

const databaseError = (code: string) => Object.assign(new pg.DatabaseError("no", 0, "error"), { code });

test("a read-only database is named, and the connections that read are replaced at each check, and once more at the first success", async () => {
  const cause = databaseError("25006");
  let failing = true;
  const { readiness, renewals, wait } = setUp(() =>
    failing ? Promise.reject(new UnavailableError("read-only", { cause })) : Promise.resolve(all),
  );
  for (let count = 0; count < 10; count++) expect(await readiness.failed()).toEqual(["database"]);
  expect(renewals()).toBe(1);
  wait(1_000);
  await readiness.failed();
  expect(renewals()).toBe(2);
  failing = false;
  for (let count = 0; count < 3; count++) {
    wait(1_000);
    expect(await readiness.failed()).toEqual([]);
    expect(renewals(), "once more, since the address may have moved between two checks").toBe(3);
  }
  const away = setUp(() => Promise.reject(new UnavailableError("away")));
  await away.readiness.failed();
  expect(away.renewals()).toBe(0);
});

test("a function that is missing, or may not be called, is reported as a missing migration", async () => {
  for (const code of ["42883", "3F000", "42501"])
    expect(await setUp(() => Promise.reject(databaseError(code))).readiness.failed()).toEqual(["schema"]);
  expect(await setUp(() => Promise.reject(databaseError("XX000"))).readiness.failed()).toEqual(["database"]);
});

test("every part that is not ready is named, in alphabetical order", async () => {
  const { readiness, listener } = setUp(() => Promise.resolve({ failed: ["schema"], undelivered: ["provider"] }));
  listener.connected = false;
  expect(await readiness.failed()).toEqual(["listener", "schema"]);
  expect(await readiness.undelivered()).toEqual(["provider"]);
});

test("both probes share one call per second, and a database that is away fails both", async () => {
  const { readiness, calls } = setUp(() => Promise.reject(new UnavailableError("away")));
  expect(await Promise.all([readiness.failed(), readiness.undelivered()])).toEqual([["database"], ["database"]]);
  expect(calls()).toBe(1);
});

test("a server that stops is unready at once, for a probe that waits and whatever was cached", async () => {
  let answer = (_: ReadinessCheck): void => undefined;
  const { readiness, calls } = setUp(() => new Promise((resolve) => (answer = resolve)));
  const waiting = readiness.failed();
  readiness.stop();
  answer(all);
  expect(await waiting).toEqual(["stopping"]);
  expect(await readiness.failed()).toEqual(["stopping"]);
  expect(calls()).toBe(1);
});

test("the log says once what is not ready, and when that changes", async () => {
  let undelivered = ["worker"];
  let failed = ["schema"];
  const { readiness, lines, wait } = setUp(() => Promise.resolve({ failed, undelivered }));
  const probeLater = async () => {
    wait(1_000);
    await readiness.failed();
  };
  await probeLater();
  await probeLater();
  failed = [];
  await probeLater();
  await probeLater();
  undelivered = [];
  await probeLater();
  expect(lines).toMatchObject([
    { level: 40, failed: ["schema"], msg: "the server is not ready" },
    { level: 40, failed: ["worker"], msg: "no message can be sent" },
    { level: 30, msg: "the server is ready again" },
    { level: 30, msg: "messages can be sent again" },
  ]);
  expect(lines).toHaveLength(4);
});
