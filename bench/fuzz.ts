import fc from "fast-check";
import { fuzzRequests, sendFuzzRequest } from "../testing/fuzz_requests.ts";
import { memoryOf } from "./cpu.ts";
import { inFlight, median, round } from "./figures.ts";
import { startMeasured } from "./service.ts";

/** npm run bench:fuzz: what 20,000 odd requests do to the server's memory, and how long the slowest answer took. */
const service = await startMeasured();
const portion = 5_000;

try {
  for (const name of ["LOGIN_FAILURES_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"]) {
    await service.query(
      "insert into settings.configuration (key, value) values ($1, '\"off\"') on conflict (key) do update set value = excluded.value",
      [name],
    );
  }
  for (let seed = 1; seed <= 4; seed++) {
    const odd = fc.sample(fuzzRequests, { numRuns: portion, seed });
    const taken: number[] = [];
    let faults = 0;
    await inFlight(portion, 8, async (index) => {
      const given = odd[index];
      if (!given) return;
      const started = performance.now();
      const { status } = await sendFuzzRequest(service.url, given);
      taken.push(performance.now() - started);
      if (status >= 500) faults++;
    });
    console.log(
      `${seed * portion} requests: ${faults} faults, median ${round(median(taken))} ms, slowest ${round(Math.max(...taken), 0)} ms, server ${memoryOf(service.serverPid)} MB`,
    );
  }
} finally {
  await service.stop();
}
