import { expect, test } from "vitest";
import { createPlaces } from "./places.ts";

function setUp(limits: { perAddress: number; total: number }, evicts: "oldest" | "newest" = "oldest") {
  const places = createPlaces({ ...limits, evicts });
  const evicted: string[] = [];
  const enter = (address: string, name = address, size = 1) => places.enter(address, () => evicted.push(name), size);
  return { enter, evicted };
}

test("a holder beyond the limit of its address evicts the oldest one of that address", () => {
  const { enter, evicted } = setUp({ perAddress: 2, total: 100 });
  enter("other");
  const leave = enter("a", "first");
  enter("a", "second");
  expect(evicted).toEqual([]);
  enter("a", "third");
  expect(evicted).toEqual(["first"]);
  // It was evicted already, so this does nothing.
  leave();
  enter("a", "fourth");
  expect(evicted).toEqual(["first", "second"]);
});

test("a holder that has left no longer counts, however often it leaves", () => {
  const { enter, evicted } = setUp({ perAddress: 2, total: 100 });
  const leave = enter("a", "gone");
  leave();
  leave();
  enter("a", "second");
  enter("a", "third");
  expect(evicted).toEqual([]);
});

test("a holder beyond the total limit evicts one of the address that holds most", () => {
  const { enter, evicted } = setUp({ perAddress: 100, total: 4 });
  for (const name of ["h1", "h2", "h3"]) enter("hostile", name);
  enter("a");
  enter("b");
  enter("c");
  expect(evicted).toEqual(["h1", "h2"]);
});

test("the newest one is evicted where that was chosen: the others stay", () => {
  const { enter, evicted } = setUp({ perAddress: 2, total: 4 }, "newest");
  enter("a", "a1");
  enter("a", "a2");
  enter("a", "a3");
  expect(evicted).toEqual(["a3"]);
  enter("b", "b1");
  enter("c", "c1");
  enter("d", "d1");
  expect(evicted).toEqual(["a3", "a2"]);
});

test("sizes are counted, and as many are evicted as it takes, at last the new one itself", () => {
  const { enter, evicted } = setUp({ perAddress: 10, total: 16 });
  enter("a", "a4", 4);
  enter("a", "a5", 5);
  enter("a", "a10", 10);
  expect(evicted).toEqual(["a4", "a5"]);
  enter("b", "b7", 7);
  expect(evicted).toEqual(["a4", "a5", "a10"]);
  enter("c", "c11", 11);
  expect(evicted).toEqual(["a4", "a5", "a10", "c11"]);
  enter("c", "c9", 9);
  expect(evicted).toEqual(["a4", "a5", "a10", "c11"]);
});

test("where the newest are evicted, no network loses one to a network that would hold as many", () => {
  const { enter, evicted } = setUp({ perAddress: 10, total: 4 }, "newest");
  for (const address of ["a", "b", "c", "d", "late", "later"]) enter(address);
  expect(evicted).toEqual(["late", "later"]);
});

test("the oldest is evicted among equals where honest holders leave soon", () => {
  const { enter, evicted } = setUp({ perAddress: 10, total: 2 });
  for (const address of ["a", "b", "late"]) enter(address);
  expect(evicted).toEqual(["a"]);
});

test("the /64s of one /48 count together: they lose to others what they hold in total", () => {
  const { enter, evicted } = setUp({ perAddress: 10, total: 4 }, "newest");
  enter("192.0.2.1");
  for (const part of ["1", "2", "3"]) enter(`2001:db8:7:${part}::/64`);
  enter("192.0.2.2");
  enter("2001:db8:7:4::/64");
  expect(evicted).toEqual(["2001:db8:7:3::/64", "2001:db8:7:4::/64"]);
});

test("the /64s of one /48 may hold ten times as much as one of them", () => {
  const { enter, evicted } = setUp({ perAddress: 1, total: 100 });
  for (let part = 1; part <= 11; part++) enter(`2001:db8:7:${part.toString(16)}::/64`);
  enter("2001:db8:8:1::/64");
  expect(evicted).toEqual(["2001:db8:7:1::/64"]);
});
