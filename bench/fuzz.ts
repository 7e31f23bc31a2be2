import fc from "fast-check";
import { fuzzRequests, sendFuzzRequest } from "../testing/fuzz_requests.ts";
import { memoryOf } from "./cpu.ts";
import { runConcurrently, median, round } from "./figures.ts";
import { startMeasuredService } from "./measured_service.ts";

/** npm run bench:fuzz: sends 20,000 fuzz requests and prints the server's memory and the slowest response. */
const service = await startMeasuredService();
const requestsPerSeed = 5_000;

try {
  for (const name of ["LOGIN_FAILURES_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"]) {
    await service.query(
      "insert into settings.configuration (key, value) values ($1, '\"off\"') on conflict (key) do update set value = excluded.value",
      [name],
    );
  }
  for (let seed = 1; seed <= 4; seed++) {
    const requests = fc.sample(fuzzRequests, { numRuns: requestsPerSeed, seed });
    const durations: number[] = [];
    let faults = 0;
    await runConcurrently(requestsPerSeed, 8, async (index) => {
      const request = requests[index];
      if (!request) return;
      const started = performance.now();
      const { status } = await sendFuzzRequest(service.url, request);
      durations.push(performance.now() - started);
      if (status >= 500) faults++;
    });
    console.log(
      `${seed * requestsPerSeed} requests: ${faults} faults, median ${round(median(durations))} ms, slowest ${round(Math.max(...durations), 0)} ms, server ${memoryOf(service.serverPid)} MB`,
    );
  }
} finally {
  await service.stop();
}
