import { expect, test } from "vitest";
import { Unavailable } from "../unavailable.ts";
import { makePasswordSlots } from "./password_slots.ts";

/** Work that goes on until it is ended. */
function openWork() {
  let end = (_result: string) => undefined as unknown;
  let fail = (_error: Error) => undefined as unknown;
  const work = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { work: () => work, end, fail };
}

test("four calls of one client run at once, a fifth is told to come again", async () => {
  const slots = makePasswordSlots();
  const running = Array.from({ length: 4 }, openWork);
  const results = running.map(({ work }) => slots.run("192.0.2.7", work));
  await expect(slots.run("192.0.2.7", () => Promise.resolve("fifth"))).rejects.toBeInstanceOf(Unavailable);
  expect(await slots.run("192.0.2.8", () => Promise.resolve("another client"))).toBe("another client");

  running[0]!.end("first");
  expect(await results[0]).toBe("first");
  expect(await slots.run("192.0.2.7", () => Promise.resolve("now there is room"))).toBe("now there is room");
  for (const { end } of running) end("done");
  await Promise.all(results);
});

test("a call that fails gives its slot back", async () => {
  const slots = makePasswordSlots();
  for (let call = 0; call < 5; call++) {
    await expect(slots.run("192.0.2.7", () => Promise.reject(new Error("wrong")))).rejects.toThrow("wrong");
  }
});

test("a refused call does not take a slot", async () => {
  const slots = makePasswordSlots();
  const running = Array.from({ length: 4 }, openWork);
  const results = running.map(({ work }) => slots.run("c", work));
  for (let call = 0; call < 3; call++) {
    await expect(slots.run("c", () => Promise.resolve())).rejects.toBeInstanceOf(Unavailable);
  }
  for (const { end } of running) end("done");
  await Promise.all(results);
  const again = Array.from({ length: 4 }, openWork);
  const accepted = again.map(({ work }) => slots.run("c", work));
  for (const { end } of again) end("accepted");
  expect(await Promise.all(accepted)).toEqual(Array.from({ length: 4 }, () => "accepted"));
});
