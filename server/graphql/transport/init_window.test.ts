import { expect, test } from "vitest";
import { createInitWindow } from "./init_window.ts";

function setUp(limits: { perAddress: number; total: number }) {
  const window = createInitWindow(limits);
  const evicted: string[] = [];
  const enter = (address: string, name = address) => window.enter(address, () => evicted.push(name));
  return { enter, evicted };
}

test("a socket beyond the limit of its address evicts the oldest one of that address", () => {
  const { enter, evicted } = setUp({ perAddress: 2, total: 100 });
  enter("other");
  const leave = enter("a", "first");
  enter("a", "second");
  expect(evicted).toEqual([]);
  enter("a", "third");
  expect(evicted).toEqual(["first"]);
  // The socket was evicted already, so this does nothing.
  leave();
  enter("a", "fourth");
  expect(evicted).toEqual(["first", "second"]);
});

test("a socket that has left no longer counts, however often it leaves", () => {
  const { enter, evicted } = setUp({ perAddress: 2, total: 100 });
  const leave = enter("a", "authorized");
  leave();
  leave();
  enter("a", "second");
  enter("a", "third");
  expect(evicted).toEqual([]);
});

test("a socket beyond the total limit evicts one of the address with most sockets", () => {
  const { enter, evicted } = setUp({ perAddress: 100, total: 4 });
  for (const name of ["h1", "h2", "h3"]) enter("hostile", name);
  enter("a");
  enter("b");
  enter("c");
  expect(evicted).toEqual(["h1", "h2"]);
});
