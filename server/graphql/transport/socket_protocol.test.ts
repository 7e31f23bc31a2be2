import type { IncomingMessage } from "node:http";
import { parse, type ExecutionResult } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { createFairQueue } from "../../queues/fair_queue.ts";
import { createLog } from "../../../runtime/log.ts";
import type { Caller } from "../../authorization/caller.ts";
import type { BoundedSocket } from "./bounded_socket.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Engine } from "../engine/engine.ts";
import { socketProtocol } from "./socket_protocol.ts";
import { createSocketTable } from "./socket_table.ts";

const guest: Caller = {
  audience: "user",
  settings: { role: "latchkey_guest", "latchkey.session_id": "a session" },
  expires: undefined,
};

/** A live query on a socket, whose reads are counted and answered with an error. */
function subscribe() {
  let reads = 0;
  const engine = {
    documents: { isKnown: () => true },
    budget: {
      takesTurns: () => false,
      open: () => {
        reads++;
        throw new Refusal("limit-exceeded", "not now");
      },
    },
  } as unknown as Engine;
  const flushed = Promise.withResolvers<undefined>();
  const socket = { flushed: () => flushed.promise } as unknown as BoundedSocket;
  const table = createSocketTable();
  const open = table.add(socket, {}, guest)!;
  open.operations++;
  const protocol = socketProtocol({
    authorizer: { authorize: () => Promise.resolve(guest), stop: () => Promise.resolve() },
    ...{ engine: () => engine, table, reads: createFairQueue(1), opened: () => undefined },
    addressOf: (request: IncomingMessage) => String(request.url),
    log: createLog("test", "silent"),
  });
  const query = "subscription { a }";
  const start = protocol.subscribe as unknown as (given: object) => AsyncIterableIterator<ExecutionResult>;
  const request = { query, variables: {}, operationName: undefined };
  const results = start({ open, request, document: parse(query) });
  return { open, results, flushed, reads: () => reads };
}
/** Every promise that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a live query is read again only once its peer has read what was sent", async () => {
  const { open, results, flushed, reads } = subscribe();
  await results.next();
  const next = results.next();
  for (const changes of open.live) changes.mark();
  await settled();
  expect(reads()).toBe(1);
  flushed.resolve(undefined);
  await settled();
  expect(reads()).toBe(2);
  await results.return?.();
  await next;
});

test("a subscription that is complete leaves nothing behind on its socket", async () => {
  const { open, results } = subscribe();
  await results.next();
  expect([open.live.size, open.operations]).toEqual([1, 1]);
  await results.return?.();
  expect([open.live.size, open.operations]).toEqual([0, 0]);
});
