import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import type { SharedResources } from "./resources.ts";

const asked = new Map<string, Promise<unknown>>();

/** What all files of the run share; the first that asks for it starts it. */
export function shared<Name extends keyof SharedResources>(name: Name): Promise<SharedResources[Name]> {
  const resource = asked.get(name) ?? ask(name);
  asked.set(name, resource);
  return resource as Promise<SharedResources[Name]>;
}

/** Not by fetch, which tests replace. */
async function ask(name: string): Promise<unknown> {
  const [response] = (await once(get(`${inject("sharedResources")}/${name}`, { agent: false }), "response")) as [
    IncomingMessage,
  ];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`The run cannot start its ${name}: ${answer}`);
  return JSON.parse(answer);
}
