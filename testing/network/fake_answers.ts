import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { checkAnswersOf } from "../service/answer_checks.ts";

/** Requests a path of a server that answers like this, and returns the check of its answers. */
export async function answersOf(listener: RequestListener, path = "/live", method = "GET"): Promise<() => void> {
  const http = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void http.close());
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const failIfAnswersDiffered = checkAnswersOf(url);
  await fetch(url + path, { method }).then((response) => response.text());
  return failIfAnswersDiffered;
}

/** The headers of an answer that has none of its own. */
export const documented = {
  "content-type": "application/json",
  "x-request-id": "a",
  "cache-control": "no-store",
};
const retry = { "retry-after": "1", ratelimit: "1", "ratelimit-policy": "1" };

/** A listener that answers with JSON and the headers that an answer of this status has. */
export const jsonOf =
  (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.statusCode = status;
    const more = { ...(status === 429 && retry), ...(status === 401 && { "www-authenticate": "Bearer" }) };
    response.setHeaders(new Map(Object.entries({ ...documented, ...more, ...headers })));
    response.end(JSON.stringify(body));
  };
