import { expect, test } from "vitest";
import { createInitWindow } from "./init_window.ts";

test("an address has so much room and no more, and again what it leaves", () => {
  const window = createInitWindow({ perAddress: 2, inAll: 100 });
  const leave = window.enter("a");
  expect(window.enter("a")).toBeDefined();
  expect(window.enter("a")).toBeUndefined();
  expect(window.enter("b")).toBeDefined();
  leave?.();
  // Authorized, and closed later.
  leave?.();
  expect(window.enter("a")).toBeDefined();
  expect(window.enter("a")).toBeUndefined();
});

test("all addresses together have so much and no more", () => {
  const window = createInitWindow({ perAddress: 100, inAll: 2 });
  const leave = window.enter("a");
  expect(window.enter("b")).toBeDefined();
  expect(window.enter("c")).toBeUndefined();
  leave?.();
  expect(window.enter("c")).toBeDefined();
});
