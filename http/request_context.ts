import { randomUUID } from "node:crypto";
import type { Request } from "express";
import type { IncomingMessage } from "node:http";
import type { Log } from "../runtime/log.ts";
import { acceptableRequestId, type RequestIds } from "../runtime/request_ids.ts";
import { type Traces, type TraceSpan } from "../runtime/traces.ts";
import { clientAddress } from "./client_address.ts";

/**
 * Fields of a request's log line: ids, names and our own texts, never a phone, a code, a token or other text that the
 * client chose.
 */
export interface LogFields {
  /** The code of the error answer. */
  errorCode?: string | undefined;
  /** Its details.reason. */
  reason?: string | undefined;
  /** The limit that refused the request. */
  policy?: string | undefined;
  /** Why the service could not take the request: the message of PostgreSQL, of its driver, or of a queue. */
  cause?: string | undefined;
  /** "admin" for a request with the admin secret. */
  actor?: string | undefined;
  /** Which admin, by the name in ADMIN_SECRETS. */
  adminName?: string | undefined;
  /** The role of the guest or user as whom the admin acts. */
  actsAs?: string | undefined;
  /** The resource server, of RESOURCE_SERVERS, that asked about a token or ended its session. */
  resourceServer?: string | undefined;
  userId?: string | null | undefined;
  sessionId?: string | null | undefined;
  otpId?: string | null | undefined;
  /** The name of the GraphQL operation, if it has one, and its type. */
  operation?: string | undefined;
  operationType?: string | undefined;
  /** Of the request's trace, where traces are recorded. */
  traceId?: string | undefined;
  /** GraphQL's program, to which the request was forwarded, logs it. */
  forwarded?: true;
}

/** What this program knows about a request beside what node:http and Express read of it. */
export class RequestContext {
  /** X-Request-Id: the client's own, or a new one. */
  readonly id: string;
  /** The client's address, as limits count it. */
  readonly client: string;
  readonly logFields: LogFields = {};
  /** The bytes of a signed body, which the signature covers. */
  signedBytes: Buffer = Buffer.alloc(0);
  readonly #startedAt = performance.now();
  readonly #log: Log;
  #ownLog: Log | undefined;
  /** Undefined where no traces are recorded. */
  readonly span: TraceSpan | undefined;
  readonly #traces: Traces | undefined;

  constructor(request: Pick<Request, "headers" | "ip" | "method" | "app" | "socket">, log: Log, traces?: Traces) {
    const { headers, ip } = request;
    const received = headers["x-request-id"];
    this.id = typeof received === "string" && acceptableRequestId.test(received) ? received : randomUUID();
    // Read now: a closed socket has no address.
    this.client = clientAddress(ip);
    this.#log = log;
    this.#traces = traces;
    this.span = traces?.begin({ name: request.method, kind: "server", parent: trustedParent(request) });
    if (this.span) this.logFields.traceId = this.span.traceId;
  }

  /** Records that the request goes on with an earlier trace, as a vendor's receipt does with that of its message. */
  continueTrace(traceparent: string): void {
    this.#traces?.begin({ name: "receipt", kind: "consumer", parent: traceparent, link: this.span?.traceparent }).end();
  }

  /** Writes lines that carry the request's id. Created on first use: few requests log more than their own line. */
  get log(): Log {
    return (this.#ownLog ??= this.#log.child({ requestId: this.id }));
  }

  /** What the jobs that the request causes carry. */
  get ids(): RequestIds {
    const { sessionId } = this.logFields;
    return {
      request_id: this.id,
      ...(sessionId && { session_id: sessionId }),
      ...(this.span && { traceparent: this.span.traceparent }),
    };
  }

  /** Milliseconds since the request began. */
  get elapsed(): number {
    return Math.round((performance.now() - this.#startedAt) * 100) / 100;
  }

  /** Adds fields to the request's log line. A null or undefined value does not replace an earlier one. */
  addLogFields(fields: LogFields): void {
    for (const [name, value] of Object.entries(fields) as [keyof LogFields, unknown][])
      if (value != null) Object.assign(this.logFields, { [name]: value });
  }
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** A stranger's traceparent could have every request recorded, or be added to somebody else's trace. */
function trustedParent({ headers, app, socket }: Pick<Request, "headers" | "app" | "socket">): string | undefined {
  const trusts = app.get("trust proxy fn") as (address: string, hop: number) => boolean;
  const { traceparent } = headers;
  return typeof traceparent === "string" && trusts(socket.remoteAddress ?? "unknown", 0) ? traceparent : undefined;
}

export function openContext(request: Request, log: Log, traces?: Traces): RequestContext {
  const context = new RequestContext(request, log, traces);
  contexts.set(request, context);
  return context;
}

/** @throws Error for a request that no handler of request_log.ts has met */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error("the request has no context");
  return context;
}
