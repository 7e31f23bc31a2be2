import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import helmet from "helmet";
import { expect, test } from "vitest";
import { securityHeaders } from "./security_headers.ts";

async function headersBy(handler: RequestHandler): Promise<Record<string, string>> {
  const app = express().disable("x-powered-by");
  app.use(handler, (_request, response) => void response.send("hello"));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    return { ...Object.fromEntries(headers), date: "" };
  } finally {
    server.close();
  }
}

test("every answer carries what helmet would set", async () => {
  const ours = await headersBy(securityHeaders());
  expect(ours).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" });
  expect(ours).toEqual(await headersBy(helmet()));
});
