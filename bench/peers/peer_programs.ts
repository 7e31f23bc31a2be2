import { existsSync } from "node:fs";
import { join } from "node:path";
import { runConcurrently } from "../parts/figures.ts";
import { createLeanClient, nextStranger } from "../parts/lean_client.ts";
import type { MeasuredService } from "../parts/measured_service.ts";
import { openEach, type Program } from "../parts/route_work.ts";
import { urlOf } from "../parts/started_process.ts";
import { bearer } from "../../testing/rest_client.ts";

const password = "correct horse battery";

/** Starts better-auth beside the service, on the same PostgreSQL. @throws Error when it is not installed */
export async function startBetterAuth(service: MeasuredService): Promise<Program> {
  if (!existsSync(join(import.meta.dirname, "node_modules")))
    throw new Error("better-auth is not installed: run npm ci --prefix bench/peers");
  const env = { NODE_ENV: "production", SMS_URL: service.gateway.url };
  const started = await service.start("bench/peers/better_auth.js", '"url"', env);
  const client = createLeanClient(urlOf(started), 64);
  // Its limits count the clients' addresses, as ours do: each request has one of its own.
  const post = async (path: string, body: object, headers = nextStranger().headers) =>
    (await client.post(`/api/auth${path}`, body, headers)) as { token: string };
  const get = (path: string, token: string) =>
    client.get(`/api/auth${path}`, { ...nextStranger().headers, ...bearer(token) });
  const expectToken = (answer: { token?: unknown }): string => {
    if (typeof answer.token !== "string") throw new Error(`no token: ${JSON.stringify(answer)}`);
    return answer.token;
  };
  const openGuest = async () => expectToken(await post("/sign-in/anonymous", {}));
  const send = (phoneNumber: string) => post("/phone-number/send-otp", { phoneNumber });
  return {
    name: "better-auth",
    pids: { program: started.pid, postgres: service.pids.postgres },
    close: client.close,
    work: {
      health: () => () => client.get("/api/auth/ok", nextStranger().headers),
      "guest session": () => openGuest,
      async refresh() {
        const token = await openGuest();
        return async () => expectToken((await get("/token", token)) as { token: string });
      },
      async "session check"() {
        const token = await openGuest();
        return async () => {
          if (!JSON.stringify(await get("/get-session", token)).includes(token))
            throw new Error("no session");
        };
      },
      async logout(plan) {
        const next = await openEach(plan, openGuest);
        return async () => {
          const answer = await post("/sign-out", {}, { ...nextStranger().headers, ...bearer(next()) });
          if (!("success" in answer)) throw new Error(JSON.stringify(answer));
        };
      },
      "OTP send": () => () => send(nextStranger().phone),
      async "verify a registration"(plan) {
        const { received } = service.gateway;
        const first = received.length;
        await runConcurrently(plan.count, plan.width, () => send(nextStranger().phone));
        const codes = received.slice(first);
        return async () => {
          const { to = "", body = "" } = codes.pop() ?? {};
          return expectToken(await post("/phone-number/verify", { phoneNumber: to, code: body }));
        };
      },
      async login() {
        const people = Array.from({ length: 40 }, () => nextStranger().phone);
        await runConcurrently(people.length, 4, async (index) => {
          const email = `person${index}@example.org`;
          expectToken(await post("/sign-up/email", { email, password, name: "a person" }));
          await service.superuserQuery('update "user" set "phoneNumber" = $1 where email = $2', [
            people[index],
            email,
          ]);
        });
        return async (index) =>
          expectToken(
            await post("/sign-in/phone-number", { phoneNumber: people[index % people.length], password }),
          );
      },
    },
  };
}
