import { expect, test } from "vitest";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createConsoleProvider } from "./console.ts";

const message = createMessage("console");

test("the message is printed", async () => {
  const printed: string[] = [];
  const messages: unknown[] = [];
  const { send, unusableReason } = createConsoleProvider(
    { production: false },
    (printedMessage) => messages.push(printedMessage),
    (line: string) => printed.push(line),
  );
  expect(unusableReason({})).toBeUndefined();
  expect(await send(message)).toEqual({ outcome: "sent" });
  expect(printed).toEqual(["SMS to +12125550123: 735194 is your code"]);
  expect(messages).toEqual([{ recipient: "+12125550123", body: "735194 is your code" }]);
});

test("the console provider is not usable in production", () => {
  expect(createConsoleProvider({ production: true }).unusableReason({})).toMatch(/production/);
});
