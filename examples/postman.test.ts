import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect } from "vitest";
import { test } from "../testing/fixtures.ts";
import { newPhone } from "../testing/service/people.ts";
import { postmanCollection } from "../scripts/postman_collection.ts";

interface Item {
  name: string;
  request: {
    method: string;
    url: { host: string[]; path: string[]; variable: { key: string; value: string }[] };
    header: { key: string; value: string }[];
    auth?: { type: string; bearer?: { value: string }[] } | null;
    body?: { raw?: string };
  };
}
interface Collection {
  item: { item: Item[] }[];
  event: { script: { exec: string[] } }[];
}

const file = join(import.meta.dirname, "latchkey.postman_collection.json");
const collection = JSON.parse(readFileSync(file, "utf8")) as Collection;
const items = collection.item.flatMap(({ item }) => item);

/** Sends a request of the collection as Postman would, and runs the collection's script on the answer. */
async function send(name: string, variables: Map<string, string>): Promise<number> {
  const { request } = items.find((item) => item.name === name)!;
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables.get(key) ?? "");
  const path = request.url.path.map((part) =>
    part.startsWith(":") ? (request.url.variable.find(({ key }) => `:${key}` === part)?.value ?? "") : part,
  );
  const token = request.auth?.bearer?.[0]?.value;
  const response = await fetch(filled([...request.url.host, ...path].join("/")), {
    method: request.method,
    headers: {
      ...Object.fromEntries(request.header.map(({ key, value }) => [key, value])),
      ...(token !== undefined && { authorization: `Bearer ${filled(token)}` }),
    },
    ...(request.body?.raw !== undefined && { body: filled(request.body.raw) }),
  });
  const answer: unknown = await response.json();
  const pm = {
    response: { json: () => answer },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
  };
  for (const { script } of collection.event) runInNewContext(script.exec.join("\n"), { pm });
  return response.status;
}

describe("the Postman collection", () => {
  test("is made from the routes as they are (npm run generate)", async () => {
    expect(collection).toEqual(await postmanCollection());
  });

  test("leads from a registration to a refreshed session and out", async ({ service }) => {
    const phone = newPhone();
    const variables = new Map([
      ["baseUrl", service.url],
      ["phone", phone],
    ]);
    expect(await send("Register a phone and a password", variables)).toBe(201);
    const [sent, otp] = await Promise.all([
      send("Send a one-time password", variables),
      service.gateway.nextCode(phone),
    ]);
    expect(sent).toBe(200);
    variables.set("otp", otp);
    expect(await send("Verify a registration by its code", variables)).toBe(200);
    expect(await send("Log in by phone or email, and password", variables)).toBe(200);
    expect(await send("Replace both tokens of a session", variables)).toBe(200);
    expect(await send("List the user's sessions", variables)).toBe(200);
    expect(await send("Revoke one of the caller's sessions", variables)).toBe(200);
    expect(await send("Who is calling", variables)).toBe(401);
  });
});
