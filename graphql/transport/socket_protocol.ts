import { GraphQLError, type OperationDefinitionNode, OperationTypeNode } from "postgraphile/graphql";
import type { ServerOptions } from "graphql-ws";
import type { IncomingMessage } from "node:http";
import type { Extra } from "graphql-ws/use/ws";
import type { Turns } from "../turns.ts";
import type { Log } from "../../runtime/log.ts";
import { AuthorizationUnavailable, TooManyFailures, type Authorizer } from "../authorization/authorizer.ts";
import type { Audience } from "../authorization/caller.ts";
import { RoleRefused } from "../authorization/session_variables.ts";
import type { LogFields } from "../../http/request_context.ts";
import type { Engine } from "../engine/engine.ts";
import type { Change } from "../engine/execution/changes.ts";
import { wholeRequest } from "../engine/documents/error_path.ts";
import { limitOf } from "../engine/execution/dialect.ts";
import { limitExceeded, Refusal } from "../refusal.ts";
import type { BoundedSocket } from "./bounded_socket.ts";
import { closings, refused } from "./closings.ts";
import { createChangeSignal } from "./change_signal.ts";
import { createLiveQuery } from "./live_query.ts";
import { logChange, logOperation, operationFields } from "./log_operation.ts";
import {
  executeOperation,
  prepareOperation,
  readSubscription,
  toCredentialHeaders,
  type Operation,
} from "./socket_requests.ts";
import { subscriptionQuery } from "./subscription_query.ts";
import { maxOperationsPerSession, sessionOf, userOf, type SocketEntry, type SocketTable } from "./socket_table.ts";

const connectionInitTimeoutMs = 3_000;
/** Characters of a subscribe message that starts a subscription, which keeps its request in memory. */
const maxSubscriptionLength = 8_192;

interface SocketOperation extends Operation {
  entry: SocketEntry;
}

interface Options {
  authorizer: Authorizer;
  engineOf: (audience: Audience) => Engine;
  table: SocketTable;
  /** Limits the concurrent reads of live queries; users take turns. */
  readQueue: Turns;
  /** The client's address, as limits count it. */
  addressOf: (request: IncomingMessage) => string;
  /** Called with each socket that is authorized. */
  onAuthorized: (entry: SocketEntry) => void;
  observe?: ObserveSockets | undefined;
  log: Log;
}

/** What the metrics count of operations over sockets. */
export interface ObserveSockets {
  /** @param limit the limit that refused it */
  operation: (type: string, limit: string | undefined) => void;
  change: (change: Change) => void;
}

/** Creates the hooks of graphql-ws: they authorize sockets, prepare operations and execute them. */
export function createSocketProtocol({
  authorizer,
  engineOf,
  table,
  readQueue,
  addressOf,
  onAuthorized,
  observe,
  log,
}: Options): ServerOptions<Record<string, unknown>, Extra> {
  const socketOf = ({ socket }: Extra) => socket as BoundedSocket;

  return {
    connectionInitWaitTimeout: connectionInitTimeoutMs,

    async onConnect({ connectionParams, extra }) {
      const socket = socketOf(extra);
      const headers = toCredentialHeaders(connectionParams, extra.request.headers);
      if (!headers) return false;
      try {
        const address = addressOf(extra.request);
        const caller = { ...(await authorizer.authorize(headers, address)), address };
        // It was closed in the meantime: no event would remove it from the table.
        if (socket.readyState !== socket.OPEN) return false;
        const entry = table.add(socket, headers, caller);
        if (entry) onAuthorized(entry);
        else socket.close(...closings.tooManySockets);
        // onAuthorized may have evicted it.
        return entry !== undefined && table.get(socket) === entry;
      } catch (error) {
        if (error instanceof AuthorizationUnavailable) socket.close(...closings.unavailable);
        if (error instanceof RoleRefused || error instanceof TooManyFailures) socket.close(refused, error.message);
        return false;
      }
    },

    onSubscribe({ extra }, _id, payload) {
      const entry = table.get(socketOf(extra));
      if (!entry) return [errorOf(new Refusal("access-denied", "Not authorized."))];
      if (table.hasMaxOperations(entry)) {
        observe?.operation("none", "maxOperationsPerSession");
        return limitErrors(
          "maxOperationsPerSession",
          `A session may have at most ${maxOperationsPerSession} subscriptions and requests in flight on its sockets: complete one first.`,
        );
      }
      // Counted before any await, because more messages may arrive before this operation is executed.
      entry.operations++;
      const prepared = prepareOperation(engineOf(entry.caller.audience), payload, entry.caller);
      const errors = Array.isArray(prepared) ? prepared : checkSubscriptionLength(prepared, payload);
      if (errors) {
        entry.operations--;
        observe?.operation("none", limitOf(errors));
      }
      return errors ?? { ...(prepared as Operation), entry };
    },

    execute: (async ({ entry, request }: SocketOperation) => {
      const startedAt = performance.now();
      let fields: LogFields = {};
      const onOperation = (operation: OperationDefinitionNode) => (fields = operationFields(operation));
      try {
        const { caller } = entry;
        const result = await executeOperation(
          engineOf(caller.audience),
          caller,
          {
            ...request,
            onOperation,
            onChange(change) {
              logChange(log, caller, change);
              observe?.change(change);
            },
          },
          log,
        );
        logOperation(log, caller, fields, result, startedAt);
        observe?.operation(fields.operationType ?? "none", limitOf(result.errors));
        return result;
      } finally {
        entry.operations--;
      }
    }) as never,

    subscribe: (({ entry, request, document, operation, stream, sources }: SocketOperation) => {
      const query = stream ? undefined : subscriptionQuery(document, operation);
      const changes = createChangeSignal();
      entry.liveQueries.set(changes, sources);
      observe?.operation("subscription", undefined);
      if (table.get(entry.socket) !== entry) changes.close();
      return createLiveQuery({
        changes,
        stream,
        read: () => {
          const engine = engineOf(entry.caller.audience);
          return stream
            ? executeOperation(engine, entry.caller, stream.next(), log)
            : readSubscription(engine, entry.caller, request, query ?? "", log);
        },
        async queueRead(read) {
          // Back-pressure: results must not pile up for a client that does not read them.
          await entry.socket.waitForDrain();
          return readQueue.run(userOf(entry.caller) ?? sessionOf(entry.caller) ?? "admin", read);
        },
        onEnd() {
          entry.liveQueries.delete(changes);
          entry.operations--;
        },
      });
    }) as never,
  };
}

function checkSubscriptionLength({ operation }: Operation, payload: object): GraphQLError[] | undefined {
  const isSubscription = operation.operation === OperationTypeNode.SUBSCRIPTION;
  if (!isSubscription || JSON.stringify(payload).length <= maxSubscriptionLength) return undefined;
  return limitErrors(
    "maxSubscriptionLength",
    `A subscription may have at most ${maxSubscriptionLength} characters, variables included.`,
  );
}

const limitErrors = (limit: string, message: string): GraphQLError[] => [errorOf(limitExceeded(limit, message))];

const errorOf = (refusal: Refusal): GraphQLError =>
  new GraphQLError(refusal.message, { originalError: refusal, extensions: { path: wholeRequest, code: refusal.code } });
