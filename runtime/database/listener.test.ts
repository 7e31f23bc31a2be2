import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { z } from "zod";
import { collectLog } from "../../testing/log_lines.ts";
import { hear, test } from "../fixtures/listener_fixtures.ts";

test("a notification arrives with its payload, on its own channel alone", async ({ listen, notify }) => {
  const listener = await listen(["one", "two"]);
  const [one, two] = [hear(listener, "one"), hear(listener, "two")];
  await notify("two", "for two");
  await notify("one", "for one");
  await notify("one", "");
  expect(await one.next()).toBe("for one");
  expect(await one.next()).toBe("");
  expect(await two.next()).toBe("for two");
});

test("a callback that unsubscribed is not called again, and the others are", async ({ listen, notify }) => {
  const listener = await listen(["one"]);
  const [gone, here] = [hear(listener, "one"), hear(listener, "one")];
  gone.stop();
  await notify("one", "first");
  expect(await here.next()).toBe("first");
  const late = await Promise.race([gone.next(), Promise.resolve("nothing")]);
  expect(late).toBe("nothing");
});

test("a payload that does not fit its channel's schema is logged without its text, once, and the next one arrives", async ({
  listenTo,
  notify,
}) => {
  const { log, lines } = collectLog();
  const listener = await listenTo({ numbers: z.coerce.number() }, log);
  const heard: number[] = [];
  listener.on("numbers", (number) => heard.push(number));
  for (let count = 0; count < 20; count++) await notify("numbers", `no number ${"x".repeat(7_900)}`);
  await notify("numbers", "7");
  await eventually("the number arrives", () => heard.length > 0);
  expect(heard).toEqual([7]);
  expect(lines).toMatchObject([{ kind: "numbers", msg: "a notification was ignored" }]);
  expect(JSON.stringify(lines)).not.toContain("xxx");
});

test("a callback that throws is logged, and the others are called all the same", async ({ listenTo, notify }) => {
  const { log, lines } = collectLog();
  const listener = await listenTo({ one: z.string() }, log);
  listener.on("one", () => {
    throw new Error("a bug");
  });
  const heard = hear(listener, "one");
  await notify("one", "first");
  await notify("one", "second");
  expect([await heard.next(), await heard.next()]).toEqual(["first", "second"]);
  expect(lines).toMatchObject([{ kind: "one", err: "a callback threw: a bug" }]);
});
