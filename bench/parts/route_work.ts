import { bearer, type Tokens } from "../../testing/service/rest_client.ts";
import { runConcurrently } from "./figures.ts";
import { logIn, passkeyLogins, registered, totpLogins } from "./factor_work.ts";
import { createLeanClient, dataOf, nextStranger, type LeanClient } from "./lean_client.ts";
import type { Listening, MeasuredService } from "./measured_service.ts";
import type { Contender, Plan, Work } from "./rounds.ts";

/** The routes that are measured, and which share of the requests a slow one gets. */
export const routes = {
  health: 1,
  "guest session": 1,
  refresh: 1,
  "session check": 1,
  logout: 1,
  "GraphQL by key": 1,
  "verify a registration": 0.5,
  "login by code": 0.5,
  "wrong code": 0.5,
  "OTP send": 0.5,
  login: 0.1,
  "login by passkey": 0.5,
  "login by password and TOTP": 0.1,
  "reset, to nobody": 0.5,
  "list of 5 sessions": 1,
  "list of 100 sessions": 1,
};
export type RouteName = keyof typeof routes;

export type Prepare = (plan: Plan) => Work | Promise<Work>;

/** A program that offers some of the routes: opens what a route's work needs and returns the work of one request. */
export interface Program {
  name: string;
  pids: Contender["pids"];
  work: Partial<Record<RouteName, Prepare>>;
  close: () => Promise<void>;
}

const send = (client: LeanClient, purpose: string, { phone, headers } = nextStranger()) =>
  client.post("/api/v1/otp/send", { input: { identifier: phone, identifierType: "PHONE", purpose } }, headers);
const openGuest = async (client: LeanClient): Promise<Tokens> =>
  dataOf(await client.post("/api/v1/auth/session/guest", undefined, nextStranger().headers));

/** Refreshes sessions in turn, each with its latest token. */
async function refreshInTurn<Session>(
  { width }: Plan,
  open: () => Promise<Session>,
  refresh: (session: Session) => Promise<Session>,
): Promise<Work> {
  const sessions = await Promise.all(Array.from({ length: width }, open));
  return async () => {
    const session = sessions.shift() ?? (await open());
    sessions.push(await refresh(session));
  };
}

/** Opens what each of the requests uses up. */
export async function openEach<Item>({ count, width }: Plan, open: () => Promise<Item>): Promise<() => Item> {
  const items: Item[] = [];
  await runConcurrently(count, width, async () => items.push(await open()));
  return () => {
    const item = items.pop();
    if (item === undefined) throw new Error("more requests than planned");
    return item;
  };
}

/** Sends a code to each of many phones, whose rows `insert` makes. The server must trust a proxy on loopback. */
async function withCodes(
  service: MeasuredService,
  client: LeanClient,
  purpose: string,
  insert: string,
  { count, width }: Plan,
): Promise<() => { phone: string; headers: Record<string, string>; otp: string }> {
  const people = Array.from({ length: count }, nextStranger);
  await service.query(insert, [people.map(({ phone }) => phone)]);
  const { received } = service.gateway;
  const first = received.length;
  await runConcurrently(count, Math.max(width, 32), (index) => send(client, purpose, people[index]));
  const codes = new Map(received.slice(first).map(({ to, body }) => [to, body.split(" ", 1)[0] ?? ""]));
  return () => {
    const { phone, headers } = people.pop() ?? nextStranger();
    return { phone, headers, otp: codes.get(phone) ?? "" };
  };
}

const insertAccounts = `insert into "user".account (id, phone, phone_verified_at)
  select private.new_id(), phone, now() from unnest($1::text[]) phone`;
/** The sessions of the same user beside one, until there are as many as the list shall have. */
const insertSessions = `insert into "user".session (id, user_id, role, access_token_id, refresh_token_id, access_token_expires_at,
    refresh_token_expires_at, user_agent, client)
  select private.new_id(), s.user_id, s.role, gen_random_uuid(), gen_random_uuid(), s.access_token_expires_at,
    s.refresh_token_expires_at, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36', '10.0.0.1'
  from "user".session s, generate_series(2, $2) where s.id = $1`;
const insertRegistrations = `insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
  select private.new_id(), phone, crypto.crypt('prehash', crypto.gen_salt('bf', 4)), false, now() from unnest($1::text[]) phone`;

/** Our routes, on one of the service's servers. */
export function ours(service: MeasuredService, { url, pids }: Listening, name = "latchkey") {
  const client = createLeanClient(url, 64);
  const auth = "/api/v1/auth";
  const codeRoute =
    (purpose: string, insert: string, path: string): Prepare =>
    async (plan) => {
      const next = await withCodes(service, client, purpose, insert, plan);
      return async () => {
        const { headers, ...body } = next();
        const answer = JSON.stringify(await client.post(`${auth}${path}`, body, headers));
        if (!answer.includes('"access_token"')) throw new Error(`${path} answered ${answer}`);
      };
    };
  const list = async (sessions: number): Promise<Work> => {
    const next = await withCodes(service, client, "LOGIN", insertAccounts, { count: 1, width: 1 });
    const { headers, ...body } = next();
    const tokens = dataOf(await client.post(`${auth}/login/otp`, body, headers));
    await service.query(insertSessions, [tokens.session_id, sessions]);
    return async () => {
      const { data } = (await client.get(`${auth}/sessions`, bearer(tokens.access_token))) as {
        data: { sessions: unknown[] };
      };
      if (data.sessions.length !== sessions) throw new Error(`a list of ${data.sessions.length} sessions`);
    };
  };
  const work: Record<RouteName, Prepare> = {
    health: () => () => client.get("/api/v1/health"),
    "guest session": () => () => openGuest(client),
    refresh: (plan) =>
      refreshInTurn(
        plan,
        () => openGuest(client),
        async ({ refresh_token }) =>
          dataOf(await client.post(`${auth}/session/refresh`, { refresh_token }, bearer(refresh_token))),
      ),
    async "session check"() {
      const { access_token, session_id } = await openGuest(client);
      return async () => {
        const answer = JSON.stringify(await client.get(`${auth}/session`, bearer(access_token)));
        if (!answer.includes(session_id)) throw new Error(answer);
      };
    },
    async logout(plan) {
      const next = await openEach(plan, () => openGuest(client));
      return () => client.post(`${auth}/logout`, undefined, bearer(next().access_token));
    },
    async "GraphQL by key"() {
      const { session_id, access_token } = await openGuest(client);
      const query = "query ($id: uuid!) { user_session_by_pk(id: $id) { id } }";
      const body = { query, variables: { id: session_id } };
      return async () => {
        const answer = JSON.stringify(await client.post("/v1/graphql", body, bearer(access_token)));
        if (!answer.includes(`"id":"${session_id}"`)) throw new Error(answer);
      };
    },
    "verify a registration": codeRoute("SIGNUP", insertRegistrations, "/register/verify"),
    "login by code": codeRoute("LOGIN", insertAccounts, "/login/otp"),
    async "wrong code"() {
      await service.set({ OTP_FAILURES_IN_A_ROW: "off" });
      return async () => {
        const { phone, headers } = nextStranger();
        const error = await client
          .post(`${auth}/register/verify`, { phone, otp: "000000" }, headers)
          .then(() => "a success", String);
        if (!error.includes("INVALID_OTP")) throw new Error(error);
      };
    },
    "OTP send": () => () => send(client, "SIGNUP"),
    "reset, to nobody": () => () => {
      const { phone, headers } = nextStranger();
      return client.post(`${auth}/reset-password`, { phone }, headers);
    },
    "list of 5 sessions": () => list(5),
    "list of 100 sessions": () => list(100),
    async login() {
      await service.set({ LOGINS_PER_PHONE: "off" });
      const phones = await registered(service, client, 100);
      return (index) => logIn(client, phones[index % phones.length] ?? "", index);
    },
    "login by passkey": (plan) => passkeyLogins(service, client, plan),
    "login by password and TOTP": (plan) => totpLogins(service, client, plan),
  };
  return { name, pids, work, close: client.close };
}
