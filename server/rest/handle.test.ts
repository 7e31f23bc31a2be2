import type { Response } from "express";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { goodPassword } from "../../testing/service/people.ts";
import { createSession, tokens } from "../tokens/fixtures/token_fixtures.ts";
import type { Services } from "../services.ts";
import { createExpress } from "../../http/express_app.ts";
import { createLog } from "../../runtime/log.ts";
import { jsonBody } from "./read_body.ts";
import { lockKeyOf, type ApiFunction } from "../database/api_definition.ts";
import { expressPath } from "./path_parameters.ts";
import type { Method } from "./route.ts";
import { createPasskeys } from "../passkeys/passkeys.ts";
import { routes } from "./routes.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";

test("every route that runs bcrypt queues by client and by what they lock, and no other route does", async () => {
  const queued: object[] = [];
  const session = createSession();
  const { access_token } = tokens.sign(session);
  const services = {
    tokens,
    passkeys: createPasskeys({}, createLog("test", "silent")),
    config: { passwordKeys: [{ pepperId: "00", key: Buffer.alloc(32) }], codeKey: Buffer.alloc(32) },
    database: { call: () => Promise.reject(new UnavailableError("not asked here")) },
    passwords: {
      call: (fn: ApiFunction<never, unknown>, args: { client: string }) => {
        queued.push({ client: args.client, subject: lockKeyOf(fn, args) });
        return Promise.reject(new UnavailableError("not asked here"));
      },
    },
  } as unknown as Services;
  const app = createExpress(false, createLog("test", "silent"));
  for (const { method, path, handler } of routes)
    app[method.toLowerCase() as Lowercase<Method>](expressPath(path), jsonBody.read, handler(services));
  app.use((_error: unknown, _request: unknown, response: Response, _next: unknown) => {
    response.status(500).end();
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const body = {
    phone: "+1 212 555 0123",
    newPhone: "+1 212 555 0124",
    newEmail: "ada@example.com",
    password: goodPassword,
    newPassword: goodPassword,
    otp: "123456",
  };
  const bodies: Record<string, object> = {
    "/auth/account": { otp: undefined },
    "/auth/session/step-up": { otp: undefined },
  };
  for (const { method, path, calls, guard } of routes) {
    queued.length = 0;
    const isForUsers = guard.scheme === "accessToken" && !guard.isOptional;
    await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(isForUsers && { authorization: `Bearer ${access_token}` }),
      },
      ...(method !== "GET" && { body: JSON.stringify({ ...body, ...bodies[path] }) }),
    });
    // For a user's routes the account is locked in place of the phone.
    const expected = { client: "127.0.0.1", subject: isForUsers ? session.user_id : "+12125550123" };
    expect([path, queued]).toEqual([path, calls.pool === "password" ? [expected] : []]);
  }
  server.close();
});
