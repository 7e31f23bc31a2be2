import { expect, test } from "vitest";
import { prettyLine } from "./pretty_log.ts";

const line = (fields: object): string =>
  prettyLine(
    JSON.stringify({ level: 30, time: "2026-11-28T12:34:56.789Z", pid: 1, hostname: "h", name: "server", ...fields }),
  );

test("a line has time, level, process, message and fields, in this order", () => {
  expect(line({ requestId: "a-1", route: "/api/v1/auth/login", status: 200, ms: 12.5, msg: "request" })).toBe(
    "12:34:56.789 INFO  server   request requestId=a-1 route=/api/v1/auth/login status=200 ms=12.5\n",
  );
  expect(line({ level: 50, err: { message: "two\nlines" }, msg: "failed" })).toBe(
    `12:34:56.789 ERROR server   failed err={"message":"two\\nlines"}\n`,
  );
});

test.each(["\u001b[2J", "a\nb", "\u0085", "\u202eabc", "\u2028", "a b"])(
  "%j cannot rewrite the terminal, nor look like two fields",
  (text) => {
    for (const written of [line({ operation: text, msg: "x" }), line({ msg: text })]) {
      expect(written.endsWith("\n")).toBe(true);
      // eslint-disable-next-line no-control-regex
      expect(written.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    }
    expect(line({ operation: text, msg: "x" })).toMatch(/ operation="[^"]*"\n$/);
  },
);
