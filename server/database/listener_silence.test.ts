import { expect, test, vi } from "vitest";
import { createLog } from "../../runtime/log.ts";
import { startSilentDatabase } from "../../testing/silent_database.ts";
import { startListener } from "./listener.ts";

test.for([
  { name: "a connection", acceptsLogin: false },
  { name: "a statement", acceptsLogin: true },
])(
  "a listener does not wait for ever for $name that gets no answer",
  async ({ acceptsLogin }, { onTestFinished }) => {
    const database = await startSilentDatabase({ acceptsLogin });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const failed = expect(startListener(database.url, {}, createLog("test", "silent"))).rejects.toThrow(
      /time/,
    );
    await database.untilUnanswered;
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
  },
);
