import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/** A message that the vendor received. Times are of Date.now(). */
export interface ReceivedSms {
  attemptId: string;
  phone: string;
  code: string;
  receivedAt: number;
  /** Undefined: the sender was gone before the answer was due. */
  answeredAt: number | undefined;
}

/**
 * Starts a vendor for the provider `http`, which accepts every message.
 * @param latencyMs returns how long the next answer takes
 */
export async function startVendor(latencyMs: () => number) {
  const received: ReceivedSms[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { to: phone, body: sms } = JSON.parse(body) as { to: string; body: string };
      const attemptId = String(request.headers["webhook-id"]).replace(/^msg_/, "");
      const code = sms.split(" ", 1)[0] ?? "";
      const message: ReceivedSms = { attemptId, phone, code, receivedAt: Date.now(), answeredAt: undefined };
      received.push(message);
      await delay(latencyMs());
      if (response.destroyed) return;
      message.answeredAt = Date.now();
      response.end("{}");
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
