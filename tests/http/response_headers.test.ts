import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { livePath, readyDeliveryPath, readyPath } from "../../http/paths.ts";

test.for([livePath, readyDeliveryPath, readyPath, "/api/v1/openapi.json", "/api/v1/health", "/.well-known/jwks.json"])(
  "%s repeats the request's id",
  async (path, { service }) => {
    const response = await fetch(service.url + path, { headers: { "x-request-id": "a-trace:1" } });
    expect(response.headers.get("x-request-id")).toBe("a-trace:1");
  },
);
