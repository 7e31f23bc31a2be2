import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { usersCostly } from "../../graphql/engine/limits.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: false });
});
afterAll(() => service.stop());

const newToken = async () => tokensOf(await service.client.post("/auth/session/guest")).access_token;
const tooMany = "Too many requests of this user, or of guests at this address";

test("of a payer's costly requests one runs at a time, and so many wait", async () => {
  const guest = askGraphql(service.url, bearer(await newToken()));
  const costly = "{ platform_otp_transaction(limit: 1000) { id identifier purpose } }";
  expect((await guest(costly)).code).toBeUndefined();
  const holder = new pg.Client({ connectionString: service.database.superuserUrl });
  await holder.connect();
  await holder.query("begin; lock table platform.otp_transaction");
  const waiting = async () => {
    const rows = await service.database.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql'
       and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  let most = 0;
  let timeouts = 0;
  const ask = async () => {
    const answer = await guest(costly);
    if (answer.code === "timeout") timeouts++;
    return answer;
  };
  const answers = Promise.all(Array.from({ length: 2 * usersCostly.perPayer }, ask));
  await eventually("two have waited in vain", async () => {
    most = Math.max(most, await waiting());
    return timeouts >= 2;
  });
  await holder.end();
  expect(most).toBe(1);
  const refused = (await answers).filter(({ message }) => message?.includes(tooMany));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
});

/** A guest's socket of one address, which says so many new documents in one packet; result: what was answered. */
async function sayAtOnce(name: string, count: number): Promise<() => string[]> {
  const headers = { "x-forwarded-for": "192.0.2.1" };
  const url = `${service.url.replace("http", "ws")}/v1/graphql`;
  const token = await newToken();
  const socket = new WebSocket(url, "graphql-transport-ws", { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${token}` } }));
  await once(socket, "message");
  const heard: string[] = [];
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    if (!text.includes('"complete"')) heard.push(text);
  });
  const raw = (socket as unknown as { _socket: { cork: () => void; uncork: () => void } })._socket;
  raw.cork();
  for (let index = 0; index < count; index++)
    socket.send(
      JSON.stringify({
        ...{ id: String(index), type: "subscribe" },
        payload: { query: `{ ${name}${index}: user_session { id } }` },
      }),
    );
  raw.uncork();
  return () => heard;
}

test("documents that are new to the server wait for their turn, and so many of one address", async () => {
  const sockets = await Promise.all([sayAtOnce("a", 50), sayAtOnce("b", 50)]);
  const heard = () => sockets.flatMap((heardBy) => heardBy());
  await eventually("all are answered", () => heard().length === 100);
  expect(heard().filter((text) => text.includes(tooMany))).not.toEqual([]);
});

test("a page of ten documents that are new to the server is answered whole, for several people at once", async () => {
  const server = await service.startAnotherServer({});
  onTestFinished(() => server.stop());
  const people = await Promise.all(
    [1, 2, 3].map(async () => askGraphql(server.url, bearer(await newToken()))),
  );
  const page = Array.from(
    { length: 10 },
    (_, index) => `query Page${index} { user_session(limit: ${index + 1}) { id role user { id phone } } }`,
  );
  const answers = await Promise.all(people.flatMap((ask) => page.map((query) => ask(query))));
  expect(answers.map(({ message }) => message).filter(Boolean)).toEqual([]);
});
