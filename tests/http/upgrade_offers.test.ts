import { Agent, request } from "node:http";
import { expect } from "vitest";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false }))
  .extend("send", { scope: "file" }, ({ service }, { onCleanup }) => {
    // One connection: requests after an ignored offer arrive on the same one.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onCleanup(() => agent.destroy());
    return (method: string, path: string, upgrade: string, body = "") =>
      send(service.url, agent, { method, path, upgrade, body });
  });
function send(
  baseUrl: string,
  agent: Agent,
  { method, path, upgrade, body }: { method: string; path: string; upgrade: string; body: string },
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: "Upgrade, HTTP2-Settings",
      upgrade,
      "http2-settings": "",
      ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const clientRequest = request(baseUrl + path, { method, headers, agent }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    clientRequest.on("error", reject);
    clientRequest.end(body);
  });
}

test.for(["h2c", "websocket", "WebSocket, h2c"])(
  "an offer of %s is ignored on every route",
  async (upgrade, { send }) => {
    expect((await send("GET", "/api/v1/health", upgrade)).status).toBe(200);
    const guest = await send("POST", "/api/v1/auth/session/guest", upgrade);
    expect(guest.status).toBe(200);
    const { refresh_token } = tokensOf({ body: JSON.parse(guest.text) as never });
    const refused = await send("POST", "/api/v1/auth/session/refresh", upgrade, JSON.stringify({ refresh_token }));
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("token_missing")]);
    expect((await send("GET", "/nowhere", upgrade)).status).toBe(404);
  },
);

test.for<[string, string, number]>([
  ["GET", "h2c", 401],
  ["POST", "h2c", 401],
  ["POST", "websocket", 401],
])("%s /v1/graphql with an offer of %s is an ordinary request", async ([method, upgrade, status], { send }) => {
  expect((await send(method, "/v1/graphql", upgrade, method === "POST" ? "{}" : "")).status).toBe(status);
});
