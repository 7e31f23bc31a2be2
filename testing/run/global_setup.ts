import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createSharedResources } from "./resources.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address at which a test process asks for what the files of a run share (shared.ts). */
    sharedResources: string;
  }
}

/**
 * Lets test processes share what is slow to start. Each resource starts when the first file asks for it, so a file that
 * needs none begins at once.
 * @returns the teardown function
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const resources = createSharedResources();
  const server = createServer((request, response) => {
    resources.get(request.url?.slice(1) ?? "").then(
      (resource) => response.end(JSON.stringify(resource)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("sharedResources", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await resources.stop();
  };
}
