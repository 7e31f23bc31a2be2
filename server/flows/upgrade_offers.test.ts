import { request } from "node:http";
import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tokensOf } from "../../testing/client.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
let agent: Agent;
beforeAll(async () => {
  service = await startService({ worker: false });
  // One connection: what follows an offer that is ignored arrives on the same one.
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

function ask(
  method: string,
  path: string,
  upgrade: string,
  body = "",
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...{ connection: "Upgrade, HTTP2-Settings", upgrade, "http2-settings": "" },
      ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const sent = request(service.url + path, { method, headers, agent }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test.each(["h2c", "websocket", "WebSocket, h2c"])(
  "an offer of %s is ignored on every route",
  async (upgrade) => {
    expect((await ask("GET", "/api/v1/health", upgrade)).status).toBe(200);
    const guest = await ask("POST", "/api/v1/auth/session/guest", upgrade);
    expect(guest.status).toBe(200);
    const { refresh_token } = tokensOf({ body: JSON.parse(guest.text) as never } as never);
    const refused = await ask(
      "POST",
      "/api/v1/auth/session/refresh",
      upgrade,
      JSON.stringify({ refresh_token }),
    );
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("token_missing")]);
    expect((await ask("GET", "/nowhere", upgrade)).status).toBe(404);
  },
);

test.each([
  ["GET", "h2c", 405],
  ["POST", "h2c", 401],
  ["POST", "websocket", 401],
])("%s /v1/graphql with an offer of %s is an ordinary request", async (method, upgrade, status) => {
  expect((await ask(method, "/v1/graphql", upgrade, method === "POST" ? "{}" : "")).status).toBe(status);
});
