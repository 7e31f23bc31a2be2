import { expect, test } from "vitest";
import { samplesOf, valueOf } from "../testing/metrics_text.ts";
import { createMetrics } from "./metrics.ts";

test("a metric has so many series at most: what comes then is counted as other", async () => {
  const metrics = createMetrics("test");
  const count = metrics.counter({ name: "latchkey_test_total", help: "For the test.", labels: ["one", "two"] });
  for (let number = 0; number < 10_000; number++) count([String(number), "x"]);
  count(["0", "x"]);
  const samples = samplesOf(await metrics.text());
  expect(samples.length).toBe(2_001);
  expect(samples.find(({ labels }) => labels.one === "other")).toMatchObject({
    labels: { two: "other" },
    value: 8_000,
  });
  expect(samples.find(({ labels }) => labels.one === "0")).toMatchObject({ value: 2 });
});

test("a gauge has what is there at the scrape, and no series of what is gone", async () => {
  const metrics = createMetrics("test");
  let values: [string[], number][] = [[["a"], 1]];
  metrics.gauge({ name: "latchkey_test", help: "For the test.", labels: ["name"] }, () => values);
  expect(valueOf(await metrics.text(), "latchkey_test", { name: "a" })).toBe(1);
  values = [];
  expect(samplesOf(await metrics.text())).toEqual([]);
});

test("a gauge without labels that has no value is left out, where 0 would be one", async () => {
  const metrics = createMetrics("test");
  metrics.gauge({ name: "latchkey_test", help: "For the test." }, () => []);
  expect(await metrics.text()).not.toMatch(/^latchkey_test/m);
});

test("a scrape does not wait for a source that hangs or fails", async () => {
  const metrics = createMetrics("test");
  metrics.beforeScrape(() => new Promise(() => undefined));
  metrics.beforeScrape(() => Promise.reject(new Error("no database")));
  const startedAt = performance.now();
  expect(await metrics.text()).toContain('process_cpu_seconds_total{program="test"}');
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
