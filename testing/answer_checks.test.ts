import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { checkAnswersOf } from "./answer_checks.ts";

/** Requests a path of a server that answers like this, and returns the check of its answers. */
async function answersOf(listener: RequestListener, path = "/live"): Promise<() => void> {
  const http = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void http.close());
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const failIfAnswersDiffered = checkAnswersOf(url);
  await fetch(url + path).then((response) => response.text());
  return failIfAnswersDiffered;
}

const documented = { "content-type": "application/json", "x-request-id": "a", "cache-control": "no-store" };
const ok = JSON.stringify({ status: "ok" });

test("an answer as documented passes, compressed or in pieces", async () => {
  const plain: RequestListener = (_request, response) => {
    response.setHeaders(new Map(Object.entries(documented)));
    response.write(ok.slice(0, 5));
    response.end(ok.slice(5));
  };
  expect(await answersOf(plain)).not.toThrow();
  const compressed: RequestListener = (_request, response) => {
    const more = { etag: "x", vary: "accept-encoding", "content-encoding": "gzip" };
    response.setHeaders(new Map(Object.entries({ ...documented, ...more })));
    response.end(gzipSync("{}"));
  };
  expect(await answersOf(compressed, "/api/v1/openapi.json")).not.toThrow();
});

test.for<
  [string, { status?: number; headers?: Record<string, string>; body?: string; path?: string }, RegExp]
>([
  ["a field", { body: '{"status":"fine"}' }, /status must be equal to constant/],
  ["a status", { status: 503 }, /not in the OpenAPI document/],
  ["a path", { path: "/api/v1/other" }, /not in the OpenAPI document/],
  ["a header", { headers: { "x-new": "1" } }, /the header x-new is not documented/],
  ["a media type", { headers: { "content-type": "text/plain" } }, /no such content type: text\/plain/],
])("%s that the document does not have fails", async ([_what, answer, message]) => {
  const { status = 200, headers, body = ok, path } = answer;
  const listener: RequestListener = (_request, response) => {
    response.statusCode = status;
    response.setHeaders(new Map(Object.entries({ ...documented, ...headers })));
    response.end(body);
  };
  expect(await answersOf(listener, path)).toThrow(message);
});

test("a documented header that is missing fails, and so does reading one that is not documented", async () => {
  expect(await answersOf((_request, response) => response.end(ok))).toThrow(
    "the header X-Request-Id is missing",
  );
  const reader: RequestListener = ({ headers }, response) => {
    response.setHeaders(new Map(Object.entries({ ...documented, "x-request-id": String(headers["x-new"]) })));
    response.end(ok);
  };
  expect(await answersOf(reader)).toThrow("does not name: x-new");
});
