import { expect, test } from "vitest";
import { createThrottledWarning } from "./throttled_warning.ts";
import { collectLog } from "../testing/log_lines.ts";

function setUp() {
  const { log, lines } = collectLog();
  let time = 0;
  const warn = createThrottledWarning(log, "it failed", 1_000, () => time);
  return { warn, lines, wait: (ms: number) => (time += ms) };
}

test("an error that repeats is logged once per interval, with the number of suppressed lines", () => {
  const { warn, lines, wait } = setUp();
  for (let count = 0; count < 1_000; count++) warn("a", "fault");
  wait(999);
  warn("a", "fault");
  expect(lines).toMatchObject([{ kind: "a", err: "fault", suppressed: 0, msg: "it failed" }]);
  wait(1);
  warn("a", "later");
  expect(lines.slice(1)).toMatchObject([{ kind: "a", err: "later", suppressed: 1_000 }]);
});

test("an error of another kind is logged at once", () => {
  const { warn, lines } = setUp();
  warn("a", "fault");
  warn("b", "fault");
  expect(lines).toMatchObject([{ kind: "a" }, { kind: "b" }]);
});

test("a long error is truncated", () => {
  const { warn, lines } = setUp();
  warn("a", "x".repeat(8_000));
  expect(lines[0]?.err).toHaveLength(200);
});
