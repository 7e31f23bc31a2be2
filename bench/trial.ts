import { bearer, type Tokens } from "../testing/rest_client.ts";
import { round } from "./figures.ts";
import { createLeanClient, type LeanClient } from "./lean_client.ts";
import { flags, startMeasuredService } from "./measured_service.ts";
import { compareCosts, type Cost } from "./side_by_side.ts";

/**
 * npm run bench -- --trial: what each optimization saves. Two servers on one database take turns, one with all optimizations and
 * one without the measured one. Prints the rows of docs/performance.md. Compare percentages: the machine is noisy.
 */
const only = process.env.ONLY;
const rounds = Number(process.env.ROUNDS ?? 7);
const perRound = Number(process.env.PER_ROUND ?? 600);
const widths = [1, 8, 32];
const connections = Math.max(...widths);

type Work = () => Promise<unknown>;
const dataOf = (answer: unknown) => (answer as { data: Tokens }).data;

let strangers = 0;
/** A phone and a client of its own for each request: one that asks so much would be refused. */
const nextStranger = () => {
  const number = strangers++;
  return {
    phone: `+1212${String(2_000_000 + number)}`,
    headers: { "x-forwarded-for": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` },
  };
};

const routes = {
  "guest session": (client: LeanClient): Promise<Work> =>
    Promise.resolve(() => client.post("/api/v1/auth/session/guest")),
  async refresh(client: LeanClient): Promise<Work> {
    const open = async () => dataOf(await client.post("/api/v1/auth/session/guest"));
    const sessions = await Promise.all(Array.from({ length: connections }, open));
    return async () => {
      const { refresh_token } = sessions.shift() ?? (await open());
      sessions.push(
        dataOf(await client.post("/api/v1/auth/session/refresh", { refresh_token }, bearer(refresh_token))),
      );
    };
  },
  async "GraphQL query"(client: LeanClient): Promise<Work> {
    const { session_id, access_token } = dataOf(await client.post("/api/v1/auth/session/guest"));
    const query = "query ($id: uuid!) { user_session_by_pk(id: $id) { id } }";
    return () => client.post("/v1/graphql", { query, variables: { id: session_id } }, bearer(access_token));
  },
  "OTP send": (client: LeanClient): Promise<Work> =>
    Promise.resolve(() => {
      const { phone, headers } = nextStranger();
      const input = { identifier: phone, identifierType: "PHONE", purpose: "SIGNUP" };
      return client.post("/api/v1/otp/send", { input }, headers);
    }),
  "wrong code": (client: LeanClient): Promise<Work> =>
    Promise.resolve(() => {
      const { phone, headers } = nextStranger();
      // Answered with 400, which the client reports as an error.
      return client
        .post("/api/v1/auth/register/verify", { phone, otp: "000000" }, headers)
        .catch(() => undefined);
    }),
};

type RouteName = keyof typeof routes;

interface Trial {
  name: string;
  routes: RouteName[];
  env?: { OPTIMIZATIONS_OFF: string };
  /** V8 flags of the server without the optimization. */
  flags?: string[];
}

const optimization = (name: string, ...measured: RouteName[]): Trial => ({
  name,
  routes: measured,
  env: { OPTIMIZATIONS_OFF: name },
});

const trials: Trial[] = [
  optimization("batch", "guest session", "refresh", "OTP send", "wrong code"),
  optimization("authorize_pipeline", "GraphQL query"),
  optimization("read_pipeline", "GraphQL query"),
  optimization("token_cache", "GraphQL query", "refresh"),
  optimization("webhook_bypass", "GraphQL query"),
  ...flags.map((flag) => ({
    name: flag,
    routes: ["guest session" as const, "GraphQL query" as const],
    flags: flags.filter((other) => other !== flag),
  })),
];

const formatColumns = ({ server, postgres }: Cost) => `${round(server)} + ${round(postgres)}`;

export async function runTrials(): Promise<void> {
  const service = await startMeasuredService({ TRUST_PROXY: "loopback" });
  try {
    console.log("| optimization | route | in flight | on, ms CPU (server + PostgreSQL) | off | saves |");
    console.log("| --- | --- | --- | --- | --- | --- |");
    for (const trial of trials.filter(({ name }) => only === undefined || name.includes(only))) {
      const without = await service.startServer({ TRUST_PROXY: "loopback", ...trial.env }, trial.flags);
      const clients = [
        createLeanClient(service.url, connections),
        createLeanClient(without.url, connections),
      ] as const;
      for (const route of trial.routes) {
        const works = await Promise.all(clients.map((client) => routes[route](client)));
        const candidates = works.map((work, index) => ({
          name: index === 0 ? "on" : "off",
          serverPid: index === 0 ? service.serverPid : without.pid,
          work,
        }));
        for (const width of widths) {
          const [on, off] = (await compareCosts(candidates, {
            ...{ postgresPid: service.postgresPid, width, rounds, perRound },
            // A send takes ten times as long as the others.
            warmUp: width > 1 || route === "OTP send" ? 500 : 4_000,
          })) as [Cost, Cost];
          const saved = round(100 * (1 - on.total / off.total), 0);
          console.log(
            `| ${trial.name} | ${route} | ${width} | ${formatColumns(on)} | ${formatColumns(off)} | ${saved} % |`,
          );
        }
      }
      for (const client of clients) await client.close();
      await without.stop();
    }
  } finally {
    await service.stop();
  }
}
