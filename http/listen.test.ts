import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { OperatorError } from "../runtime/operator_error.ts";
import { listen, listenFault } from "./listen.ts";

/** The error with which a server does not start. */
async function refusal(PORT: number, HOST?: string): Promise<unknown> {
  const http = createServer();
  onTestFinished(() => void http.close());
  try {
    await listen(http, { PORT, HOST });
  } catch (error) {
    return error;
  }
  throw new Error("it listens");
}

test("a port that is in use is named", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const error = await refusal(port, "127.0.0.1");
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toBe(`Port ${port} is in use: set PORT to another one.`);
});

test("an address of another machine is named", async () => {
  // RFC 5737: no machine has this address.
  const error = await refusal(0, "192.0.2.1");
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toMatch(/^HOST is 192\.0\.2\.1, which is not an address of this machine/);
});

test.each(["ENOTFOUND", "EAI_AGAIN"])("a name without an address (%s) is named", (code) => {
  expect(listenFault(code, { PORT: 80, HOST: "db" })).toMatch(
    /^HOST is db, .*: set HOST to .* to listen on all of them\.$/,
  );
  expect(
    listenFault(code, { PORT: 80, HOST: "db", prefix: "OPERATIONS_" }),
    "what is internal has another default",
  ).toMatch(/: set OPERATIONS_HOST to .* to listen on 127\.0\.0\.1\.$/);
});

test("a port that needs a privilege is named, with the remedy", () => {
  const message = listenFault("EACCES", { PORT: 80 });
  expect(message).toMatch(/^This user may not listen on port 80: set PORT to 1024 or higher/);
});

test("any other error is passed on unchanged", () => {
  expect(listenFault("EMFILE", { PORT: 80 })).toBeUndefined();
  expect(listenFault(undefined, { PORT: 80 })).toBeUndefined();
});
