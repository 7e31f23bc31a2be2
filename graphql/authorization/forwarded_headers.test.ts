import { expect, test } from "vitest";
import { forwardedHeaders } from "./forwarded_headers.ts";

test("the webhook gets the caller's headers, except those of the connection and the body", () => {
  const forwarded = { authorization: "Bearer x", cookie: "a=b", "x-hasura-role": "user" };
  const own = { host: "a", connection: "upgrade", "content-length": "7", "transfer-encoding": "chunked" };
  expect(forwardedHeaders({ ...forwarded, ...own, "x-absent": undefined })).toEqual(forwarded);
});

test.each([
  { authorization: "Bearer x\r\nx-webhook-secret: forged" },
  { "x-a\r\nx-webhook-secret": "forged" },
  { "no name": "x" },
  { "x-a": "☃" },
])("an invalid header is not forwarded: %o", (headers) => {
  expect(forwardedHeaders(headers)).toBeUndefined();
});
