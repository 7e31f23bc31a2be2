import type { Dispatcher } from "undici";

export interface WebhookAnswer {
  status: number;
  body: string;
}

/**
 * A GET of a URL. By undici's handler and not by its request(): a GraphQL request waits for nothing as often as for this
 * answer, which is short enough to need no stream.
 */
export function askWebhook(
  agent: Dispatcher,
  url: URL,
  headers: Record<string, string>,
  deadlineMs: number,
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    let request: Dispatcher.DispatchController | undefined;
    let late: Error | undefined;
    let status = 0;
    const chunks: Buffer[] = [];
    const fail = (error: Error) => {
      clearTimeout(deadline);
      reject(error);
    };
    const deadline = setTimeout(() => {
      late = new Error(`no answer within ${deadlineMs} ms`);
      request?.abort(late);
      fail(late);
    }, deadlineMs);
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: "GET", headers },
      {
        onRequestStart(controller) {
          request = controller;
          // It may have waited for a connection until then.
          if (late) controller.abort(late);
        },
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          clearTimeout(deadline);
          resolve({ status, body: Buffer.concat(chunks).toString() });
        },
        onResponseError: (_controller, error) => {
          fail(error);
        },
      },
    );
  });
}
