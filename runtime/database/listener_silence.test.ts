import { expect, vi } from "vitest";
import { z } from "zod";
import { createLog } from "../log.ts";
import { eventually } from "../../testing/eventually.ts";
import { startSilentDatabase } from "../../testing/postgres/silent_database.ts";
import { startTcpProxy } from "../../testing/network/tcp_proxy.ts";
import { reconnected, test } from "../fixtures/listener_fixtures.ts";
import { startListener } from "./listener.ts";

test.for([
  { name: "a connection", acceptsLogin: false },
  { name: "a statement", acceptsLogin: true },
])("a listener does not wait forever for $name that gets no answer", async ({ acceptsLogin }, { onTestFinished }) => {
  const database = await startSilentDatabase({ acceptsLogin });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const failed = expect(
    startListener({ url: database.url, variable: "DIRECT_URL" }, {}, createLog("test", "silent")),
  ).rejects.toThrow(/time/);
  await database.untilUnanswered;
  await vi.advanceTimersByTimeAsync(15_000);
  await failed;
});

test("a connection that was dropped silently is replaced, and notifications arrive again", async ({
  database,
  notify,
  onTestFinished,
}) => {
  const proxy = await startTcpProxy(database.superuserUrl);
  onTestFinished(() => proxy.stop());
  const url = proxy.through(database.superuserUrl);
  const listener = await startListener(
    { url, variable: "DIRECT_URL" },
    { one: z.string() },
    createLog("test", "silent"),
    {
      watchMs: 100,
      silenceMs: 2_000,
    },
  );
  onTestFinished(() => listener.stop());
  const again = reconnected(listener);
  proxy.silence();
  await again;
  const heard: string[] = [];
  listener.on("one", (payload) => heard.push(payload));
  // More than once: on a busy machine the new connection may be replaced as well.
  await eventually("a notification arrives", async () => {
    await notify("one", "back");
    return heard.includes("back");
  });
});
