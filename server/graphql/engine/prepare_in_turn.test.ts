import { expect } from "vitest";
import { guest, test } from "./fixtures/engine_fixtures.ts";
import { prepareInTurn } from "./prepare_in_turn.ts";

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
