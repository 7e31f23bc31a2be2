/** What we accept as an X-Request-Id: no character that could forge a log line. */
export const acceptableRequestId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * The ids of a request that its jobs and the events of its refusal carry, so that the lines of server and worker about
 * one SMS are found together, and platform.explain_refusal finds what refused it.
 * They reach SQL as the setting latchkey.request, and a job as members of its payload.
 */
export interface RequestIds {
  request_id?: string | undefined;
  session_id?: string | undefined;
  /** Of the span that causes the job, where traces are recorded. */
  traceparent?: string | undefined;
}
