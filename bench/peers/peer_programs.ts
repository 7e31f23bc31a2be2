import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runConcurrently } from "../parts/figures.ts";
import { createLeanClient, nextStranger } from "../parts/lean_client.ts";
import type { MeasuredService } from "../parts/measured_service.ts";
import { openEach, type Program } from "../parts/route_work.ts";
import { urlOf } from "../parts/started_process.ts";
import { bearer } from "../../testing/service/rest_client.ts";

const password = "correct horse battery";

/**
 * Starts a program of this folder beside the service, on the same PostgreSQL.
 * @throws Error when it is not installed
 */
async function startPeer(service: MeasuredService, file: string) {
  if (!existsSync(join(import.meta.dirname, "node_modules")))
    throw new Error("the other programs are not installed: run npm ci --ignore-scripts --prefix bench/peers");
  const env = { NODE_ENV: "production", SMS_URL: service.gateway.url, PARSE_SERVER_LOGS_FOLDER: "null" };
  const started = await service.start(`bench/peers/${file}`, '"url"', env);
  const client = createLeanClient(urlOf(started), 64);
  return { client, close: client.close, pids: { program: started.pid, postgres: service.pids.postgres } };
}

function expectText(answer: unknown, text: string): void {
  if (!JSON.stringify(answer).includes(text)) throw new Error(`no ${text} in ${JSON.stringify(answer)}`);
}

export async function startBetterAuth(service: MeasuredService): Promise<Program> {
  const { client, ...program } = await startPeer(service, "better_auth.js");
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
    ...program,
    work: {
      health: () => () => client.get("/api/auth/ok", nextStranger().headers),
      "guest session": () => openGuest,
      async refresh() {
        const token = await openGuest();
        return async () => expectToken((await get("/token", token)) as { token: string });
      },
      async "session check"() {
        const token = await openGuest();
        return async () => expectText(await get("/get-session", token), token);
      },
      async logout(plan) {
        const next = await openEach(plan, openGuest);
        return async () =>
          expectText(await post("/sign-out", {}, { ...nextStranger().headers, ...bearer(next()) }), "success");
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
          await service.superuserQuery('update "user" set "phoneNumber" = $1 where email = $2', [people[index], email]);
        });
        return async (index) =>
          expectToken(await post("/sign-in/phone-number", { phoneNumber: people[index % people.length], password }));
      },
    },
  };
}

export async function startParseServer(service: MeasuredService): Promise<Program> {
  const { client, ...program } = await startPeer(service, "parse_server.js");
  const headers = (token?: string) => ({
    "x-parse-application-id": "bench",
    ...(token !== undefined && { "x-parse-session-token": token }),
  });
  const signUp = async (body: object) => {
    const { sessionToken } = (await client.post("/parse/users", body, headers())) as {
      sessionToken?: string;
    };
    if (sessionToken === undefined) throw new Error("no session");
    return sessionToken;
  };
  const openGuest = () => signUp({ authData: { anonymous: { id: randomUUID() } } });
  return {
    name: "parse-server",
    ...program,
    work: {
      health: () => () => client.get("/parse/health", headers()),
      "guest session": () => openGuest,
      async "session check"() {
        const token = await openGuest();
        return async () => expectText(await client.get("/parse/sessions/me", headers(token)), token);
      },
      async logout(plan) {
        const next = await openEach(plan, openGuest);
        return () => client.post("/parse/logout", {}, headers(next()));
      },
      async "GraphQL by key"() {
        const token = await openGuest();
        const row = await client.post("/parse/classes/Note", { text: "a note" }, headers(token));
        const { objectId } = row as { objectId: string };
        const query = "query ($id: ID!) { note(id: $id) { objectId } }";
        const body = { query, variables: { id: objectId } };
        return async () => expectText(await client.post("/graphql", body, headers(token)), `"${objectId}"`);
      },
      async login() {
        const people = Array.from({ length: 40 }, () => ({ username: nextStranger().phone, password }));
        for (const person of people) await signUp(person);
        return async (index) =>
          expectText(await client.post("/parse/login", people[index % people.length], headers()), "sessionToken");
      },
    },
  };
}
