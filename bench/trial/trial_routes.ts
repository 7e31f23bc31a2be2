import { bearer, type Tokens } from "../../testing/rest_client.ts";
import { runConcurrently } from "../figures.ts";
import type { LeanClient } from "../lean_client.ts";
import type { MeasuredService } from "../measured_service.ts";

/** What a route's work needs before it is measured. */
interface Preparation {
  client: LeanClient;
  service: MeasuredService;
  width: number;
  /** How often the work will run. */
  count: number;
}
type Work = () => Promise<unknown>;
type Prepare = (preparation: Preparation) => Work | Promise<Work>;

const dataOf = (answer: unknown) => (answer as { data: Tokens }).data;

let strangers = 0;
/** A phone and a client of its own for each request: one that sends so much would be refused. */
const nextStranger = () => {
  const number = strangers++;
  return {
    phone: `+1212${String(2_000_000 + number)}`,
    headers: { "x-forwarded-for": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` },
  };
};
const send = (client: LeanClient, purpose: string, { phone, headers } = nextStranger()) =>
  client.post(
    "/api/v1/otp/send",
    { input: { identifier: phone, identifierType: "PHONE", purpose } },
    headers,
  );

/** Opens what the work of a route needs, and returns the work of one request. */
export const trialRoutes = {
  "guest session":
    ({ client }) =>
    () =>
      client.post("/api/v1/auth/session/guest"),
  async refresh({ client, width }) {
    const open = async () => dataOf(await client.post("/api/v1/auth/session/guest"));
    const sessions = await Promise.all(Array.from({ length: width }, open));
    return async () => {
      const { refresh_token } = sessions.shift() ?? (await open());
      sessions.push(
        dataOf(await client.post("/api/v1/auth/session/refresh", { refresh_token }, bearer(refresh_token))),
      );
    };
  },
  async "GraphQL query"({ client }) {
    const { session_id, access_token } = dataOf(await client.post("/api/v1/auth/session/guest"));
    const query = "query ($id: uuid!) { user_session_by_pk(id: $id) { id } }";
    return () => client.post("/v1/graphql", { query, variables: { id: session_id } }, bearer(access_token));
  },
  async "who am I"({ client }) {
    const { access_token } = dataOf(await client.post("/api/v1/auth/session/guest"));
    return () => client.get("/api/v1/auth/session", bearer(access_token));
  },
  "OTP send":
    ({ client }) =>
    () =>
      send(client, "SIGNUP"),
  async "wrong code"({ client, service }) {
    await service.query(
      "insert into settings.configuration (key, value) values ('OTP_FAILURES_IN_A_ROW', '\"off\"') on conflict do nothing",
    );
    return async () => {
      const { phone, headers } = nextStranger();
      const input = { phone, otp: "000000" };
      // The client reports every status but 200 as an error.
      await client.post("/api/v1/auth/register/verify", input, headers).catch((error: unknown) => {
        if (!String(error).includes("INVALID_OTP")) throw error;
      });
    };
  },
  async "login by code"({ client, service, count }) {
    const people = Array.from({ length: count }, nextStranger);
    await service.query(
      `insert into "user".account (id, phone, phone_verified_at)
       select private.new_id(), phone, now() from unnest($1::text[]) phone`,
      [people.map(({ phone }) => phone)],
    );
    const { received } = service.gateway;
    const first = received.length;
    await runConcurrently(count, 32, (index) => send(client, "LOGIN", people[index]));
    const codes = new Map(received.slice(first).map(({ to, body }) => [to, body.split(" ", 1)[0]]));
    return () => {
      const { phone, headers } = people.pop() ?? nextStranger();
      return client.post("/api/v1/auth/login/otp", { phone, otp: codes.get(phone) }, headers);
    };
  },
} satisfies Record<string, Prepare>;

export type RouteName = keyof typeof trialRoutes;
/** They take three to ten times as long as the others, and are measured with fewer requests. */
export const longRoutes: readonly RouteName[] = ["OTP send", "wrong code", "login by code"];
