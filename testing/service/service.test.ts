import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../postgres/test_database.ts";
import { startService } from "./service.ts";

/** Makes the server of this URL send a header that the OpenAPI document does not have. */
function sendUndocumentedHeader(url: string): void {
  const addHeader = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (String(request.socket.localPort) === new URL(url).port) response.setHeader("x-new", "1");
  };
  subscribe("http.server.request.start", addHeader);
  onTestFinished(() => void unsubscribe("http.server.request.start", addHeader));
}

test("a service does not stop without an error if one of its servers answered otherwise than documented", async () => {
  const service = await startService({ worker: false });
  const { url, client, stop } = await service.startAnotherServer();
  sendUndocumentedHeader(url);
  await client.get("/health");
  await expect(stop()).rejects.toThrow("the header x-new is not documented");
  sendUndocumentedHeader(service.url);
  await service.client.get("/health");
  await expect(service.stop()).rejects.toThrow("the header x-new is not documented");
});

test("the hourly clean-up, which erases due accounts, is due in no test's database", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const due = await database.query(
    "select identifier, last_execution > now() + interval '12 hours' as postponed from graphile_worker._private_known_crontabs",
  );
  expect(due).toEqual([{ identifier: "clean_up", postponed: true }]);
});
