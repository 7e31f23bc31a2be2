import express from "express";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test as baseTest } from "vitest";
import { acceptedLanguages } from "./accepted_languages.ts";

const test = baseTest.extend("languagesOf", { scope: "file" }, async ({}, { onCleanup }) => {
  const app = express().get("/", (request, response) => void response.json(acceptedLanguages(request)));
  const server = app.listen(0, "127.0.0.1");
  onCleanup(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return async (header: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { "accept-language": header } });
    return response.json();
  };
});

test.for([
  ["de-AT, en;q=0.5, fr;q=0.8", ["de-AT", "fr", "en"]],
  ["*", []],
  ["de, *;q=0.5", ["de"]],
  ["de;q=0, en", ["en"]],
  ["pt-BR", ["pt-BR"]],
  ["de_DE, en", ["en"]],
  ["abcdefghi, en", ["en"]],
  ["abcdefgh-12345678-abcdefgh-abcdefgh", ["abcdefgh-12345678-abcdefgh-abcdefgh"]],
  ["abcdefgh-12345678-abcdefgh-abcdefgh1", []],
  ["zh-Hant-CN-x-private1-private2", ["zh-Hant-CN-x-private1-private2"]],
  ["{}, ';--, en", ["en"]],
] as const)("Accept-Language: %s", async ([header, languages], { languagesOf }) => {
  expect(await languagesOf(header)).toEqual(languages);
});

test("at most ten languages count: the preferred ones of the first thousand characters", async ({ languagesOf }) => {
  const tags = Array.from({ length: 1_000 }, (_, index) => `x-${index};q=0.${String(index % 10)}`);
  const languages = await languagesOf(["!", "x-a;q=0.1", "de", ...tags, "fr"].join(","));
  expect(languages).toHaveLength(10);
  expect((languages as string[]).slice(0, 3)).toEqual(["de", "x-9", "x-19"]);
});
