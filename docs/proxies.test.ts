import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { expect, onTestFinished } from "vitest";
import WebSocket from "ws";
import { test as baseTest } from "../testing/fixtures.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { tokensOf } from "../testing/service/rest_client.ts";
import { proxies, startReverseProxy } from "../testing/network/reverse_proxy.ts";

const test = baseTest.extend("servers", { scope: "file" }, async ({ service }, { onCleanup }) => {
  // What reaches GraphQL comes to it directly: the servers do not forward.
  const env = { TRUST_PROXY: "127.0.0.1", GRAPHQL_TRUST_PROXY: "127.0.0.1", GRAPHQL_UPSTREAM: "off" };
  const servers = [await service.startAnotherServer(env), await service.startAnotherServer(env)];
  onCleanup(async () => {
    for (const server of servers) await server.stop();
  });
  return servers;
});

/** A request with wrong credentials, from a client at 127.0.0.77, with a header that claims another address. */
async function fail(port: number, path: string, body: object): Promise<number | undefined> {
  const headers = {
    "content-type": "application/json",
    "x-forwarded-for": "203.0.113.9",
    "x-admin-secret": "a guess",
  };
  const sent = request({ port, host: "127.0.0.1", localAddress: "127.0.0.77", method: "POST", path, headers });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [{ statusCode?: number; resume: () => void }];
  response.resume();
  return response.statusCode;
}

test.for(proxies)(
  "behind $name as the document configures it, limits count the client and not what it claims to be",
  async (proxy, { skip, service, servers }) => {
    skip(isMissing(proxy.name));
    const port = await startReverseProxy(proxy, servers);
    await service.database.query("delete from platform.rate_limit");
    expect(await fail(port, "/api/v1/auth/login", { phone: "+12125550100", password: "wrong" })).toBe(401);
    expect(await fail(port, "/v1/graphql", { query: "{ user_session { id } }" })).toBe(401);
    const rows = await service.database.query<{ key: string }>(
      "select key from platform.rate_limit where key ~ '^(ADMIN|LOGIN)_FAILURES_PER_IP:' order by key",
    );
    expect(rows.map(({ key }) => key)).toEqual([
      "ADMIN_FAILURES_PER_IP:127.0.0.77",
      "LOGIN_FAILURES_PER_IP:127.0.0.77",
    ]);
  },
);

test.for(proxies)(
  "behind $name as the document configures it, no client says which trace its request belongs to",
  async (proxy, { skip, servers }) => {
    skip(isMissing(proxy.name));
    const port = await startReverseProxy(proxy, servers);
    const received: boolean[] = [];
    const notice = (message: unknown) => {
      // As they came: what reads the parsed ones counts as the program's reading.
      const { rawHeaders } = (message as { request: IncomingMessage }).request;
      const names = rawHeaders.map((text) => text.toLowerCase());
      if (names.includes("traced")) received.push(names.includes("traceparent"));
    };
    subscribe("http.server.request.start", notice);
    onTestFinished(() => void unsubscribe("http.server.request.start", notice));
    await fetch(`http://127.0.0.1:${port}/live`, {
      headers: { "x-request-id": "traced", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
    });
    expect(received).toEqual([false]);
  },
);

test.for(proxies)(
  "behind $name as the document configures it, subscriptions work",
  async (proxy, { skip, service, servers }) => {
    skip(isMissing(proxy.name));
    const port = await startReverseProxy(proxy, servers);
    const { access_token } = tokensOf(await service.client.post("/auth/session/guest"));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, "graphql-transport-ws");
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${access_token}` } }));
    const [message] = (await once(socket, "message")) as [Buffer];
    expect(JSON.parse(message.toString())).toMatchObject({ type: "connection_ack" });
  },
);
