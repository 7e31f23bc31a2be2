import { getOperationAST, GraphQLError, OperationTypeNode } from "postgraphile/graphql";
import type { ServerOptions } from "graphql-ws";
import type { IncomingMessage } from "node:http";
import type { Extra } from "graphql-ws/use/ws";
import type { FairQueue } from "../../queues/fair_queue.ts";
import type { Log } from "../../../runtime/log.ts";
import { AuthorizationUnavailable, type Authorizer } from "../../authorization/authorize.ts";
import type { BoundedSocket } from "./bounded_socket.ts";
import { makeChanges } from "./changes.ts";
import type { Engine } from "../engine/engine.ts";
import { liveQuery, run } from "./live_query.ts";
import type { Audience } from "../../authorization/caller.ts";
import { headersOf, operationOf, type Operation } from "./socket_requests.ts";
import {
  maxOperationsPerSession,
  sessionOf,
  userOf,
  type OpenSocket,
  type SocketTable,
} from "./socket_table.ts";

const initPatienceMs = 3_000;
/** A subscription keeps its request in memory as long as it lives. */
const longestSubscription = 8_192;

interface OpenOperation extends Operation {
  open: OpenSocket;
}

interface Options {
  authorizer: Authorizer;
  engine: (audience: Audience) => Engine;
  table: SocketTable;
  /** Paces the reads that changes cause, by their user. */
  reads: FairQueue;
  /** The client's address, as limits count it. */
  addressOf: (request: IncomingMessage) => string;
  /** Called with each socket that was let in. */
  opened: (open: OpenSocket) => void;
  log: Log;
}

/** What graphql-ws calls: who may open a socket, which operations it may start, and what they answer. */
export function socketProtocol({
  authorizer,
  engine,
  table,
  reads,
  addressOf,
  opened,
  log,
}: Options): ServerOptions<Record<string, unknown>, Extra> {
  const socketOf = ({ socket }: Extra) => socket as BoundedSocket;

  return {
    connectionInitWaitTimeout: initPatienceMs,

    async onConnect({ connectionParams, extra }) {
      const socket = socketOf(extra);
      const headers = headersOf(connectionParams);
      try {
        const address = addressOf(extra.request);
        const caller = { ...(await authorizer.authorize(headers, address)), address };
        // Its close has been reported already, so nothing would remove it from the table.
        if (socket.readyState !== socket.OPEN) return false;
        const open = table.add(socket, headers, caller);
        if (open) opened(open);
        else socket.close(4403, "Too many sockets of this session");
        return open !== undefined;
      } catch (error) {
        if (error instanceof AuthorizationUnavailable) socket.close(1013, "Try again later");
        return false;
      }
    },

    async onSubscribe({ extra }, _id, payload) {
      const open = table.get(socketOf(extra));
      if (!open) return [new GraphQLError("Not authorized.", { extensions: { code: "access-denied" } })];
      if (table.isFull(open)) {
        return limitExceeded(
          `A session has at most ${maxOperationsPerSession} subscriptions and requests on its sockets at once.`,
        );
      }
      // Before anything is awaited, because several messages may arrive before the first of them is executed.
      open.operations++;
      const operation = await operationOf(engine(open.caller.audience), payload, open.caller);
      const refusal = Array.isArray(operation) ? operation : refusalOf(operation, payload);
      if (refusal) open.operations--;
      return refusal ?? { ...(operation as Operation), open };
    },

    execute: (async ({ open, request }: OpenOperation) => {
      try {
        return await run(engine(open.caller.audience), open.caller, request, log);
      } finally {
        open.operations--;
      }
    }) as never,

    subscribe: (({ open, request, document }: OpenOperation) => {
      const changes = makeChanges();
      open.live.add(changes);
      if (table.get(open.socket) !== open) changes.end();
      return liveQuery({
        ...{ document, changes },
        read: (query) => run(engine(open.caller.audience), open.caller, { ...request, query }, log),
        async pace(read) {
          // A peer that does not read would have results pile up in front of it.
          await open.socket.flushed();
          return reads.run(userOf(open.caller) ?? sessionOf(open.caller) ?? "admin", read);
        },
        ended() {
          open.live.delete(changes);
          open.operations--;
        },
      });
    }) as never,
  };
}

function refusalOf({ document, operationName }: Operation, payload: object): GraphQLError[] | undefined {
  const kind = getOperationAST(document, operationName)?.operation;
  if (kind !== OperationTypeNode.SUBSCRIPTION || JSON.stringify(payload).length <= longestSubscription)
    return undefined;
  return limitExceeded(`A subscription has at most ${longestSubscription} characters, variables included.`);
}

const limitExceeded = (message: string): GraphQLError[] => [
  new GraphQLError(message, { extensions: { code: "limit-exceeded" } }),
];
