import type { Attributes, SpanKind, Tracer } from "@opentelemetry/api";
import type { Log } from "./log.ts";

/** Header traceparent of W3C Trace Context, version 00: how a trace travels to other programs and through the queue. */
export const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Who asked whom, as OpenTelemetry's SpanKind names it. */
export type Kind = Lowercase<keyof typeof SpanKind>;

interface Begin {
  name: string;
  kind: Kind;
  /** The traceparent of the span that caused this one. */
  parent?: string | undefined;
  /** The traceparent of another trace that this span belongs to as well. */
  link?: string | undefined;
  /** No phone, no id of a person, no URL: a route is its pattern. */
  attributes?: Attributes;
}

export interface TraceSpan {
  traceId: string;
  traceparent: string;
  /** @param error what kind of failure ended it: a status or a code */
  end: (ended?: { name?: string; attributes?: Attributes; error?: string | undefined }) => void;
}

export interface Traces {
  begin: (span: Begin) => TraceSpan;
}

/**
 * The traces of this process; undefined unless variables OTEL_… are set and NODE_OPTIONS has loaded an SDK
 * (docs/monitoring.md). Then not even the API is loaded. Names follow OpenTelemetry's semantic conventions for HTTP,
 * database and messaging spans (https://opentelemetry.io/docs/specs/semconv/, checked 2026-11-28), but what may hold an
 * id or a phone, such as url.path, is left out.
 */
export async function openTraces(log: Log, env: NodeJS.ProcessEnv = process.env): Promise<Traces | undefined> {
  if (!Object.entries(env).some(([name, value]) => name.startsWith("OTEL_") && value)) return undefined;
  const api = await import("@opentelemetry/api");
  const tracer = api.trace.getTracer("latchkey");
  if (!isRecording(tracer)) {
    log.warn(
      "OTEL_… is set, and no SDK of OpenTelemetry records: load one by NODE_OPTIONS=--import (docs/monitoring.md)",
    );
    return undefined;
  }
  const kinds: Record<Kind, SpanKind> = {
    internal: api.SpanKind.INTERNAL,
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };
  const contextOf = (traceparent: string | undefined) => {
    const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent ?? "") ?? [];
    if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
    return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  };
  return {
    begin({ name, kind, parent, link, attributes = {} }) {
      const [parentContext, linkContext] = [contextOf(parent), contextOf(link)];
      const within = parentContext ? api.trace.setSpanContext(api.ROOT_CONTEXT, parentContext) : api.ROOT_CONTEXT;
      const links = linkContext ? [{ context: linkContext }] : [];
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links }, within);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
        end({ name: newName, attributes: more, error } = {}) {
          if (newName !== undefined) span.updateName(newName);
          if (more) span.setAttributes(more);
          if (error !== undefined) {
            span.setAttribute("error.type", error);
            span.setStatus({ code: api.SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
  };
}

/** Without an SDK, and with OTEL_SDK_DISABLED, spans have the trace id 0. This one is never ended, so it is not sent. */
const isRecording = (tracer: Tracer): boolean => !/^0+$/.test(tracer.startSpan("start").spanContext().traceId);
