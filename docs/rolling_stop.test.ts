import { expect, onTestFinished, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { test } from "../testing/fixtures.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { proxies, startReverseProxy } from "../testing/network/reverse_proxy.ts";

const drainDelayMs = 54_321;
/**
 * The delay during which a process that is stopping still serves. The test ends it for all of them; once a test is over
 * there is none, or the service of a failed test would never stop, and the run would never end.
 */
const drain = vi.hoisted(() => {
  const waiting = new Set<() => void>();
  let isOver = false;
  return {
    begin: () => {
      isOver = false;
    },
    wait: () =>
      new Promise<undefined>((resolve) => {
        if (isOver) resolve(undefined);
        else waiting.add(() => resolve(undefined));
      }),
    end: () => {
      isOver = true;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
});
vi.mock(import("node:timers/promises"), async (original) => {
  const timers = await original();
  const wait = (ms?: number, ...rest: []) => (ms === drainDelayMs ? drain.wait() : timers.setTimeout(ms, ...rest));
  return { ...timers, setTimeout: wait as typeof timers.setTimeout };
});

/** Keeps eight requests in flight, half of them writes, until it is stopped. */
function startRequests(port: number) {
  const statuses: (number | string)[] = [];
  let isStopped = false;
  const lane = async (init: RequestInit, path: string) => {
    while (!isStopped) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, init).then(
        async (response) => response.text().then(() => response.status),
        (error: unknown) => String(error),
      );
      statuses.push(answer);
    }
  };
  const lanes = Array.from({ length: 8 }, (_none, index) =>
    index % 2 === 0 ? lane({ method: "POST" }, "auth/session/guest") : lane({}, "health"),
  );
  const stop = async () => {
    isStopped = true;
    await Promise.all(lanes);
  };
  onTestFinished(stop);
  return {
    statuses,
    /** Waits until so many more have been answered. */
    more: (count: number) => {
      const target = statuses.length + count;
      return eventually(`${count} more responses`, () => statuses.length >= target);
    },
    stop,
  };
}

/**
 * Whether the proxy has stopped using the server that is not ready: in turn with the other one, it would answer half of
 * these.
 */
async function usesReadyServersOnly(port: number): Promise<boolean> {
  for (let index = 0; index < 10; index++) {
    const { ok } = await fetch(`http://127.0.0.1:${port}/ready`, { headers: { connection: "close" } });
    if (!ok) return false;
  }
  return true;
}

/** A busy machine may answer the checks of the server that stays too late, and the proxy would have no server left. */
function keepSecondServer(configuration: string): string {
  const edited = configuration.replace(/(server two .* fall) 2/, "$1 30");
  expect(edited, "the test has found what it replaces").toContain("fall 30");
  return edited;
}

test.for(proxies)(
  "behind $name as the document configures it, one of two servers stops under load and no request is lost",
  async (proxy, { skip, service }) => {
    skip(isMissing(proxy.name));
    drain.begin();
    onTestFinished(drain.end);
    const env = { DRAIN_DELAY_MS: String(drainDelayMs), TRUST_PROXY: "127.0.0.1" };
    const servers = [await service.startAnotherServer(env), await service.startAnotherServer(env)] as const;
    // nginx checks no server.
    const edit = proxy.name === "haproxy" ? keepSecondServer : undefined;
    const port = await startReverseProxy(proxy, [...servers], edit);
    const requests = startRequests(port);
    await requests.more(50);

    const stopped = servers[0].stop();
    await requests.more(50);
    // nginx probes no server: it moves on where a connection is refused.
    if (proxy.name === "haproxy") await eventually("the proxy has noticed", () => usesReadyServersOnly(port));
    expect((await fetch(`${servers[0].url}/live`)).ok, "until now it has served").toBe(true);
    drain.end();
    await stopped;
    await requests.more(50);
    await requests.stop();
    expect(requests.statuses.filter((status) => status !== 200)).toEqual([]);

    await servers[1].stop();
  },
);
