import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { shortenPreferences } from "./long_preferences.ts";

test.for([
  ["what browsers send", "text/html,*/*;q=0.8", "text/html,*/*;q=0.8"],
  ["many entries", `text/html,${"a/bbbbb,".repeat(2_000)}`, `text/html,${"a/bbbbb,".repeat(125)}a/bbbbb`],
  ["one long entry", "a".repeat(2_000), ""],
])("of %s about a thousand characters count, whole entries only", ([, accept, expected]) => {
  const request = { headers: { accept } } as IncomingMessage;
  shortenPreferences(request, "accept");
  expect(request.headers.accept?.length).toBe(expected?.length);
  expect(request.headers.accept === expected).toBe(true);
});
