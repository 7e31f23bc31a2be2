import type { Dispatcher } from "undici";

export interface WebhookAnswer {
  status: number;
  body: string;
}

/**
 * Calls the webhook by GET. Uses undici's dispatch() because request() would create a stream for an answer of a few hundred bytes,
 * once per GraphQL request.
 * @throws Error when there is no answer within timeoutMs, or the connection fails
 */
export function callWebhook(
  agent: Dispatcher,
  url: URL,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    let request: Dispatcher.DispatchController | undefined;
    let timedOut: Error | undefined;
    let status = 0;
    const chunks: Buffer[] = [];
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      timedOut = new Error(`no answer within ${timeoutMs} ms`);
      request?.abort(timedOut);
      fail(timedOut);
    }, timeoutMs);
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: "GET", headers },
      {
        onRequestStart(controller) {
          request = controller;
          // The time may have run out while it waited for a connection.
          if (timedOut) controller.abort(timedOut);
        },
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, body: Buffer.concat(chunks).toString() });
        },
        onResponseError: (_controller, error) => {
          fail(error);
        },
      },
    );
  });
}
