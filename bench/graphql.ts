import { createClient } from "graphql-ws";
import { request, Agent } from "undici";
import { WebSocket } from "ws";
import { serverConfig } from "../common/config.ts";
import { bearer, tokensOf } from "../testing/client.ts";
import { cpuOfTrees } from "./cpu.ts";
import { inFlight, median, round } from "./figures.ts";
import { startMeasured } from "./service.ts";

/**
 * npm run bench:graphql: what the webhook hop costs a query by primary key, beside the same query by the admin, who is known
 * without it; and how long a change takes to a subscriber. The machine is noisy: read medians and ratios.
 */
const service = await startMeasured();
const { client, url, serverPid, postgresPid } = service;
const agent = new Agent({ connections: 8 });
const rounds = 5;
const perRound = 1_000;

try {
  const session = tokensOf(await client.post("/auth/session/guest"));
  const query = `query ($id: uuid!) { user_session_by_pk(id: $id) { id user_id } }`;
  const body = JSON.stringify({ query, variables: { id: session.session_id } });
  const ask = (headers: Record<string, string>) => async () => {
    const answer = await request(`${url}/v1/graphql`, {
      method: "POST",
      dispatcher: agent,
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    const text = await answer.body.text();
    if (!text.includes(session.session_id)) throw new Error(text);
  };
  const withHop = ask(bearer(session.access_token));
  const without = ask({ "x-hasura-admin-secret": serverConfig(service.env).ADMIN_SECRET });

  const measure = async (work: () => Promise<void>) => {
    const cpu = cpuOfTrees([serverPid, postgresPid]);
    const started = performance.now();
    await inFlight(perRound, 8, work);
    return {
      rate: (perRound * 1000) / (performance.now() - started),
      cpu: (cpuOfTrees([serverPid, postgresPid]) - cpu) / perRound,
    };
  };
  await inFlight(1_000, 8, withHop);
  await inFlight(1_000, 8, without);
  const figures = { hop: [] as { rate: number; cpu: number }[], none: [] as { rate: number; cpu: number }[] };
  for (let at = 0; at < rounds; at++) {
    figures.hop.push(await measure(withHop));
    figures.none.push(await measure(without));
  }
  const [hop, none] = [
    median(figures.hop.map(({ rate }) => rate)),
    median(figures.none.map(({ rate }) => rate)),
  ];
  console.log(
    `by primary key   ${round(hop, 0)} / s with the hop, ${round(none, 0)} / s without: ${round(hop / none)} ×`,
  );
  console.log(
    `                 ${round(median(figures.hop.map(({ cpu }) => cpu)))} ms CPU of server and PostgreSQL with the hop, ${round(median(figures.none.map(({ cpu }) => cpu)))} without`,
  );

  const sockets = createClient({
    url: `${url.replace("http", "ws")}/v1/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { headers: { "x-hasura-admin-secret": serverConfig(service.env).ADMIN_SECRET } },
  });
  let heard = () => undefined as unknown;
  const taken: number[] = [];
  let watched = tokensOf(await client.post("/auth/session/guest"));
  for (let event = 0; event < 50; event++) {
    const unsubscribe = sockets.subscribe(
      { query: `subscription { user_session_by_pk(id: "${watched.session_id}") { revoked_at } }` },
      { next: () => heard(), error: console.error, complete: () => undefined },
    );
    await new Promise((resolve) => (heard = () => resolve(undefined)));
    const told = new Promise((resolve) => (heard = () => resolve(undefined)));
    const started = performance.now();
    await client.post("/auth/logout", undefined, bearer(watched.access_token));
    await told;
    taken.push(performance.now() - started);
    unsubscribe();
    watched = tokensOf(await client.post("/auth/session/guest"));
  }
  await sockets.dispose();
  console.log(
    `subscription     ${round(median(taken))} ms from the logout's request to its subscriber, p50 of ${taken.length}`,
  );
} finally {
  await agent.close();
  await service.stop();
}
