import { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import { expect, test, vi } from "vitest";
import { watchReceivedJobs, type Attempt } from "./received_jobs.ts";

const events = () => new EventEmitter() as WorkerEvents & EventEmitter;
const first = { id: "1", attempts: 1 };

test("an attempt that was received is not lost, whether it runs, has ended or was returned", () => {
  const queue = events();
  const lostOf = watchReceivedJobs(queue);
  const jobs: Attempt[] = ["1", "2", "3"].map((id) => ({ id, attempts: 1 }));
  queue.emit("localQueue:getJobs:complete", { jobs });
  queue.emit("job:complete", { job: jobs[1] });
  queue.emit("localQueue:returnJobs", { jobs: [jobs[2]] });
  expect(lostOf(jobs)).toEqual([]);
});

test("an attempt that was never received is lost, also at a job that was received before", () => {
  const queue = events();
  const lostOf = watchReceivedJobs(queue);
  queue.emit("localQueue:getJobs:complete", { jobs: [first] });
  queue.emit("job:complete", { job: first });
  const again = { id: "1", attempts: 2 };
  const other = { id: "2", attempts: 1 };
  expect(lostOf([again, other])).toEqual([again, other]);
});

test("an attempt that has ended is removed after a minute, unless it is still locked", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const queue = events();
    const lostOf = watchReceivedJobs(queue);
    queue.emit("localQueue:getJobs:complete", { jobs: [first] });
    queue.emit("job:complete", { job: first });
    vi.advanceTimersByTime(61_000);
    expect(lostOf([first]), "the queue still tries to delete it").toEqual([]);
    lostOf([]);
    expect(lostOf([first]), "forgotten").toEqual([first]);
  } finally {
    vi.useRealTimers();
  }
});
