import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkAnswersOf } from "./answer_checks.ts";
import { answersOf, documented, jsonOf } from "../network/fake_answers.ts";

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

test.for<[string, { status?: number; headers?: Record<string, string>; body?: string; path?: string }, RegExp]>([
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

test("only GET and HEAD have pages, and no page is below the paths of programs", async () => {
  const html: RequestListener = (_request, response) =>
    response.setHeader("content-type", "text/html; charset=utf-8").end("<!doctype html>");
  expect(await answersOf(html, "/a-page", "HEAD")).not.toThrow();
  for (const method of ["POST", "DELETE"])
    expect(await answersOf(html, "/a-page", method)).toThrow("not in the OpenAPI document");
  for (const path of ["/api/v1/a-page", "/v1/a-page", "/.well-known/a-page"])
    expect(await answersOf(html, path)).toThrow("not in the OpenAPI document");
});

test("pages and their files are not in the document, and neither are the messages of the page /demo", async () => {
  const html: RequestListener = (_request, response) =>
    response.setHeader("content-type", "text/html; charset=utf-8").end("<!doctype html>");
  expect(await answersOf(html, "/a-page")).not.toThrow();
  expect(await answersOf(jsonOf(200, { messages: [] }), "/demo/messages", "POST")).not.toThrow();
  expect(await answersOf(jsonOf(200, { messages: [] }), "/demo/other", "POST")).toThrow("not in the OpenAPI document");
  expect(await answersOf(jsonOf(404, {}), "/demo/messages", "POST")).toThrow("must have required property 'error'");
});

test("a documented header that is missing fails, and so does reading one that is not documented", async () => {
  expect(await answersOf((_request, response) => response.end(ok))).toThrow("the header X-Request-Id is missing");
  const reader: RequestListener = ({ headers }, response) => {
    response.setHeaders(new Map(Object.entries({ ...documented, "x-request-id": String(headers["x-new"]) })));
    response.end(ok);
  };
  expect(await answersOf(reader)).toThrow("does not name: x-new");
});

test("an answer on a kept connection is checked after the server has stopped listening", async () => {
  const statuses = ["ok", "fine"];
  const http = createServer((request, response) => {
    http.close();
    jsonOf(200, { status: statuses.shift() })(request, response);
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const { port } = http.address() as AddressInfo;
  const failIfAnswersDiffered = checkAnswersOf(`http://127.0.0.1:${port}`);
  const request = "GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const socket = connect(port, "127.0.0.1").resume();
  // The server stops listening in the first request.
  socket.write(request + request.replace("Host", "Connection: close\r\nHost"));
  await once(socket, "close");
  expect(failIfAnswersDiffered).toThrow("status must be equal to constant");
});
