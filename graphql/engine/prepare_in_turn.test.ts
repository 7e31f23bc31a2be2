import { setImmediate as immediate } from "node:timers/promises";
import { expect } from "vitest";
import { guest, test } from "./fixtures/engine_fixtures.ts";
import { prepareInTurn } from "./prepare_in_turn.ts";
import { createSerialQueue } from "./serial_queue.ts";

test("a document is new to the queue of turns until it was planned", async ({ engine, send }) => {
  const query = "{ user_session { id } }";
  const seen: unknown[] = [];
  const queueing = {
    ...engine,
    budget: { ...engine.budget, mustQueue: () => true },
    waitForTurn: (...[, , isNeeded, isNew]: Parameters<typeof engine.waitForTurn>) =>
      Promise.resolve(void seen.push([isNeeded?.(), isNew?.()])),
  };
  const prepare = () => prepareInTurn(queueing, guest, { query, variables: {}, operationName: undefined });
  await prepare();
  await send(query);
  await prepare();
  expect(seen).toEqual([
    [true, true],
    [true, false],
  ]);
});

test("of many requests with one new document, the first one takes a turn to prepare it", async ({
  engine,
}) => {
  let turns = 0;
  const inSeries = createSerialQueue();
  const waitForTurn: typeof engine.waitForTurn = (...[, , isNeeded]) =>
    inSeries(async () => {
      // The work of the previous turn runs first.
      await immediate();
      if (isNeeded?.()) turns++;
    });
  const request = { query: "{ user_session { id role } }", variables: {}, operationName: undefined };
  const prepare = () => prepareInTurn({ ...engine, waitForTurn }, guest, request);
  await Promise.all(Array.from({ length: 50 }, prepare));
  expect(turns).toBe(1);
});

test("preparing a validated document is charged as for a known one, planning it as for a new one", async ({
  engine,
  send,
}) => {
  const query = "{ user_session { role id } }";
  let admitted: boolean[] = [];
  const budget: typeof engine.budget = {
    ...engine.budget,
    admit(caller, isKnown) {
      admitted.push(isKnown);
      return engine.budget.admit(caller, isKnown);
    },
  };
  const admissions = async () => {
    admitted = [];
    await prepareInTurn({ ...engine, budget }, guest, { query, variables: {}, operationName: undefined });
    return admitted;
  };
  // Before and after its turn.
  expect(await admissions()).toEqual([false, false]);
  expect(await admissions()).toEqual([true, false]);
  await send(query);
  expect(await admissions()).toEqual([true]);
});
