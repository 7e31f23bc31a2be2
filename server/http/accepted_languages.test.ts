import express from "express";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptedLanguages } from "./accepted_languages.ts";

let server: Server;
beforeAll(async () => {
  const app = express().get("/", (request, response) => {
    response.json(acceptedLanguages(request));
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function languagesOf(header: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { "accept-language": header } });
  return response.json();
}

test.each([
  ["de-AT, en;q=0.5, fr;q=0.8", ["de-AT", "fr", "en"]],
  ["*", []],
  ["de, *;q=0.5", ["de"]],
  ["de;q=0, en", ["en"]],
  ["pt-BR", ["pt-BR"]],
  ["de_DE, en", ["en"]],
  ["abcdefghi, en", ["en"]],
  ["abcdefgh-12345678-abcdefgh-abcdefgh", ["abcdefgh-12345678-abcdefgh-abcdefgh"]],
  ["abcdefgh-12345678-abcdefgh-abcdefgh1", []],
  ["a-b-c-d-e-f", []],
  ["{}, ';--, en", ["en"]],
])("Accept-Language: %s", async (header, languages) => {
  expect(await languagesOf(header)).toEqual(languages);
});

test("at most ten languages count: the preferred ones", async () => {
  const tags = Array.from({ length: 1_000 }, (_, index) => `x-${index};q=0.${String(index % 10)}`);
  const languages = await languagesOf(["!", ...tags, "de"].join(","));
  expect(languages).toHaveLength(10);
  expect((languages as string[]).slice(0, 3)).toEqual(["de", "x-9", "x-19"]);
});
