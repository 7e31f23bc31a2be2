import { expect, test } from "vitest";
import { createInitWindow } from "./init_window.ts";

function setUp(bounds: { perAddress: number; inAll: number }) {
  const window = createInitWindow(bounds);
  const evicted: string[] = [];
  const enter = (address: string, name = address) => window.enter(address, () => evicted.push(name));
  return { enter, evicted };
}

test("an address has so much room: one more takes the place of its oldest, and of no other's", () => {
  const { enter, evicted } = setUp({ perAddress: 2, inAll: 100 });
  enter("other");
  const leave = enter("a", "first");
  enter("a", "second");
  expect(evicted).toEqual([]);
  enter("a", "third");
  expect(evicted).toEqual(["first"]);
  // It was ended already.
  leave();
  enter("a", "fourth");
  expect(evicted).toEqual(["first", "second"]);
});

test("a socket that was authorized takes no room, however often it leaves", () => {
  const { enter, evicted } = setUp({ perAddress: 2, inAll: 100 });
  const leave = enter("a", "authorized");
  leave();
  leave();
  enter("a", "second");
  enter("a", "third");
  expect(evicted).toEqual([]);
});

test("all addresses together have so much: whoever comes takes the place of the address that has most", () => {
  const { enter, evicted } = setUp({ perAddress: 100, inAll: 4 });
  for (const name of ["h1", "h2", "h3"]) enter("hostile", name);
  enter("a");
  enter("b");
  enter("c");
  expect(evicted).toEqual(["h1", "h2"]);
});
