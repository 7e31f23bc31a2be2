import { once } from "node:events";
import { WebSocket } from "ws";
import { tokensOf } from "../testing/rest_client.ts";
import { memoryOf } from "./cpu.ts";
import { startMeasuredService } from "./measured_service.ts";

/**
 * npm run bench:subscriptions: prints the server's resident memory while CYCLES (60000) subscriptions are opened and completed on
 * sockets that stay open. It must stay flat once the heap has reached its working size.
 */
const cycles = Number(process.env.CYCLES ?? 60_000);
const width = 10;
const interval = 5_000;
const service = await startMeasuredService();

/** Subscribes and completes `times` times in sequence on one socket. */
async function cycle(socket: WebSocket, times: number, done: () => void): Promise<void> {
  const query = "subscription { user_session { id revoked_at } }";
  for (let id = 0; id < times; id++) {
    const answered = once(socket, "message");
    socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query } }));
    const [data] = (await answered) as [Buffer];
    const { type } = JSON.parse(data.toString()) as { type: string };
    if (type !== "next") throw new Error(`unexpected message ${data.toString()}`);
    socket.send(JSON.stringify({ id: String(id), type: "complete" }));
    done();
  }
}

async function open(): Promise<WebSocket> {
  const { access_token } = tokensOf(await service.client.post("/auth/session/guest"));
  const socket = new WebSocket(`${service.url.replace("http", "ws")}/v1/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(
    JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${access_token}` } }),
  );
  await once(socket, "message");
  return socket;
}

try {
  const sockets = await Promise.all(Array.from({ length: width }, open));
  let count = 0;
  const report = () => console.log(`${String(count).padStart(7)} cycles   ${memoryOf(service.serverPid)} MB`);
  report();
  const done = () => {
    if (++count % interval === 0) report();
  };
  await Promise.all(sockets.map((socket) => cycle(socket, Math.ceil(cycles / width), done)));
  for (const socket of sockets) socket.close();
} finally {
  await service.stop();
}
