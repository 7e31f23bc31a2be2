import { expect, test } from "vitest";
import { createMessage } from "./fixtures/messages.ts";
import { createConsoleProvider } from "./console.ts";

const message = createMessage("console");

test("the message is printed", async () => {
  const printed: string[] = [];
  const send = createConsoleProvider({ production: false }, (line: string) => printed.push(line));
  expect(await send(message)).toEqual({ outcome: "sent" });
  expect(printed).toEqual(["SMS to +12125550123: 735194 is your code"]);
});

test("in production nothing is printed, and the reason holds nothing of the message", async () => {
  const printed: string[] = [];
  const send = createConsoleProvider({ production: true }, (line: string) => printed.push(line));
  expect(await send(message)).toEqual({
    outcome: "refused",
    reason: "console is refused in production",
  });
  expect(printed).toEqual([]);
});
