import { connect, type Socket } from "node:net";
import { memoryOf } from "./cpu.ts";
import { runConcurrently, median, round, measureDurations } from "./figures.ts";
import { startMeasuredService } from "./measured_service.ts";

/**
 * npm run bench:slow-clients: opens ten thousand idle connections, clients that send two bytes per second, and pipelined garbage.
 * Prints how much other clients are delayed, the memory per connection, and after how long the server closes them.
 */
const idle = Number(process.env.IDLE ?? 10_000);
const slow = 200;
const service = await startMeasuredService();
const { port } = new URL(service.url);
const sockets = new Set<Socket>();

function open(first: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(first);
      resolve(socket);
    });
    socket.on("error", reject);
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
    sockets.add(socket);
  });
}
const guest = () => service.client.post("/auth/session/guest");

try {
  await measureDurations(200, guest);
  const calm = median(await measureDurations(300, guest));
  const memory = memoryOf(service.serverPid);

  await runConcurrently(idle, 100, () => open(""));
  const busy = median(await measureDurations(300, guest));
  console.log(
    `${sockets.size} idle connections: others ${round(busy / calm)} ×, ${round(((memoryOf(service.serverPid) - memory) * 1024) / idle, 1)} KB each`,
  );

  const garbage = "GET / HTTP/1.1\r\nHost: x\r\n\r\n\u0000\u0001garbage\r\n\r\n".repeat(50);
  await runConcurrently(500, 50, () =>
    open(garbage).then((socket) => new Promise((resolve) => socket.once("close", resolve))),
  );
  console.log(
    `500 connections of pipelined garbage: all closed, others ${round(median(await measureDurations(300, guest)) / calm)} ×`,
  );

  const started = performance.now();
  const lanes = await Promise.all(
    Array.from({ length: slow }, () =>
      open(
        "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
      ),
    ),
  );
  const drip = setInterval(() => lanes.forEach((socket) => socket.writable && socket.write("{")), 500);
  const ended = Promise.all(lanes.map((socket) => new Promise((resolve) => socket.once("close", resolve))));
  const during = median(await measureDurations(300, guest));
  await ended;
  clearInterval(drip);
  console.log(
    `${slow} clients that send two bytes a second: others ${round(during / calm)} ×, all cut off after ${round((performance.now() - started) / 1000, 0)} s`,
  );
} finally {
  for (const socket of sockets) socket.destroy();
  await service.stop();
}
