import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { checkAgainstDocument } from "../../testing/openapi.ts";
import { livePath, readyPath } from "../http/paths.ts";

const openApi = "/api/v1/openapi.json";

const test = baseTest.extend(
  "get",
  ({ service }) =>
    async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
      const response = await fetch(service.url + path, { headers });
      const text = await response.clone().text();
      const body = text === "" ? null : (JSON.parse(text) as unknown);
      checkAgainstDocument("GET", path, { status: response.status, headers: response.headers, body });
      return response;
    },
);

test.for([livePath, readyPath, openApi, "/api/v1/health", "/.well-known/jwks.json"])(
  "%s answers with the headers of the OpenAPI document, and repeats the request's id",
  async (path, { get }) => {
    const response = await get(path, { "x-request-id": "a-trace:1" });
    expect(response.headers.get("x-request-id")).toBe("a-trace:1");
  },
);

test("a client's current copy of the OpenAPI document is answered 304, with the documented headers", async ({
  get,
}) => {
  const etag = (await get(openApi)).headers.get("etag");
  // fetch adds "no-cache" to a conditional request that says nothing about caches.
  const headers = { "if-none-match": etag!, "cache-control": "max-age=0" };
  expect((await get(openApi, headers)).status).toBe(304);
});
