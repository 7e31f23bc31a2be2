import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { webhookPath } from "../http/paths.ts";
import { bypassExpress } from "./webhook_bypass.ts";

test.each([
  ["GET", webhookPath, "localhost", "webhook"],
  ["POST", webhookPath, "localhost", "webhook"],
  ["DELETE", webhookPath, "localhost", "app"],
  ["GET", `${webhookPath}?a=b`, "localhost", "app"],
  ["GET", "/", "localhost", "app"],
  ["GET", webhookPath, "a b", "app"],
])("%s %s with Host %j is answered by the %s", (method, url, host, expected) => {
  const answers: string[] = [];
  const answer = (name: string) => () => void answers.push(name);
  const listener = bypassExpress(answer("app"), answer("webhook"), (_request, _response, next) => {
    next();
  });
  const request = { method, url, headers: { host }, rawHeaders: ["Host", host] };
  listener(request as unknown as IncomingMessage, {} as ServerResponse);
  expect(answers).toEqual([expected]);
});
