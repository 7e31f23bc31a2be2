import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

/** A terminal of 100 columns that records its output. */
function createTerminal(isTTY: boolean) {
  let text = "";
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 100,
    rows: 20,
    clearLine: () => true,
    cursorTo: () => true,
    moveCursor: () => true,
  });
  stream.on("data", (chunk) => (text += String(chunk)));
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

const counts = { lines: 50, imported: 49, present: 0, refused: 1, bytesRead: 500 };

test("a terminal shows a bar, its share, users, refusals and the time that is left", () => {
  const { stream, text } = createTerminal(true);
  const progress = createProgress({ stream, totalBytes: 1_000 });
  progress.update(counts);
  progress.print("line 7: not JSON");
  progress.stop();
  expect(text()).toMatch(/█+░+ 50 % \| 50 users, \d+\/s \| 1 refused \| .* left/);
  expect(text()).toContain("line 7: not JSON\n");
});

test("a stream that is not a terminal gets lines, and so does standard input, whose length is unknown", () => {
  for (const [isTTY, totalBytes] of [
    [false, 1_000],
    [true, undefined],
  ] as const) {
    const { stream, text } = createTerminal(isTTY);
    let now = 0;
    const progress = createProgress({ stream, totalBytes, now: () => now });
    progress.update(counts);
    progress.print("line 7: not JSON");
    expect(text(), "nothing after less than five seconds").toBe("line 7: not JSON\n");
    now = 5_000;
    progress.update(counts);
    progress.update(counts);
    progress.stop();
    expect(text()).toBe("line 7: not JSON\n50 users, 10/s, 1 refused\n");
  }
});
