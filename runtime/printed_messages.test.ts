import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPrintedMessages } from "./printed_messages.ts";

let elapsedMs = 0;
beforeEach(() => {
  elapsedMs = 1;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => elapsedMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pass(ms: number): void {
  elapsedMs += ms;
  vi.advanceTimersByTime(ms);
}

const phone = "+12125550123";

test("the texts to a phone are kept in their order, without those of other phones", () => {
  const messages = createPrintedMessages();
  messages.add({ recipient: phone, body: "first" });
  messages.add({ recipient: "+12125550124", body: "another phone's" });
  messages.add({ recipient: phone, body: "second" });
  expect(messages.textsTo(phone)).toEqual(["first", "second"]);
});

test("a text is removed after ten minutes", () => {
  const messages = createPrintedMessages();
  messages.add({ recipient: phone, body: "text" });
  pass(599_000);
  expect(messages.textsTo(phone)).toEqual(["text"]);
  pass(2_000);
  expect(messages.textsTo(phone)).toEqual([]);
});

test("a hundred texts are kept at most", () => {
  const messages = createPrintedMessages();
  for (let number = 0; number < 101; number++) messages.add({ recipient: phone, body: String(number) });
  const texts = messages.textsTo(phone);
  expect(texts.length).toBe(100);
  expect(texts[0]).toBe("1");
});
