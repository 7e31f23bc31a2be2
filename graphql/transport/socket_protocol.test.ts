import type { IncomingMessage } from "node:http";
import { parse, type ExecutionResult } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { createTurns } from "../turns.ts";
import { createLog } from "../../runtime/log.ts";
import type { Caller } from "../authorization/caller.ts";
import type { BoundedSocket } from "./bounded_socket.ts";
import { Refusal } from "../refusal.ts";
import type { Engine } from "../engine/engine.ts";
import { createSocketProtocol } from "./socket_protocol.ts";
import { createSocketTable } from "./socket_table.ts";

const guest: Caller = {
  audience: "user",
  settings: { role: "latchkey_guest", "latchkey.session_id": "a session" },
  expires: undefined,
};

/** Starts a live query on a socket. Its reads are counted and fail. */
function subscribe() {
  let reads = 0;
  const engine = {
    documents: { isCached: () => true },
    budget: {
      admit: () => {
        reads++;
        throw new Refusal("limit-exceeded", "refused");
      },
    },
  } as unknown as Engine;
  const drain = Promise.withResolvers<undefined>();
  const socket = { waitForDrain: () => drain.promise } as unknown as BoundedSocket;
  const table = createSocketTable();
  const entry = table.add(socket, {}, guest)!;
  entry.operations++;
  const protocol = createSocketProtocol({
    authorizer: { authorize: () => Promise.resolve(guest), stop: () => Promise.resolve() },
    engineOf: () => engine,
    table,
    readQueue: createTurns(1),
    onAuthorized: () => undefined,
    addressOf: (request: IncomingMessage) => String(request.url),
    log: createLog("test", "silent"),
  });
  const query = "subscription { a }";
  const start = protocol.subscribe as unknown as (operation: object) => AsyncIterableIterator<ExecutionResult>;
  const request = { query, variables: {}, operationName: undefined };
  const document = parse(query);
  const results = start({ entry, request, document, operation: document.definitions[0], sources: new Set() });
  return { entry, results, drain, reads: () => reads };
}
/** Resolves once every promise that can settle has settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a live query is read again only when its client has read the previous result", async () => {
  const { entry, results, drain, reads } = subscribe();
  await results.next();
  const next = results.next();
  for (const changes of entry.liveQueries.keys()) changes.notify();
  await settled();
  expect(reads()).toBe(1);
  drain.resolve(undefined);
  await settled();
  expect(reads()).toBe(2);
  await results.return?.();
  await next;
});

test("a subscription that is complete no longer counts on its socket", async () => {
  const { entry, results } = subscribe();
  await results.next();
  expect([entry.liveQueries.size, entry.operations]).toEqual([1, 1]);
  await results.return?.();
  expect([entry.liveQueries.size, entry.operations]).toEqual([0, 0]);
});
