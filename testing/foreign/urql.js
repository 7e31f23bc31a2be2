import { Client, cacheExchange, fetchExchange, gql, subscriptionExchange } from "@urql/core";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { setImmediate } from "node:timers";
import { assert, headers, notebook, run, url } from "./steps.js";

// urql by its default options: it sends queries by GET while the URL is short.
const sockets = createClient({
  url: url.replace("http", "ws"),
  webSocketImpl: WebSocket,
  connectionParams: { headers },
});
const client = new Client({
  url,
  fetchOptions: { headers },
  exchanges: [
    cacheExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query, variables }) => ({
        subscribe: (sink) => ({ unsubscribe: sockets.subscribe({ query: query ?? "", variables }, sink) }),
      }),
    }),
  ],
});
const list = gql`
  query Notes($body: String!) {
    note(where: { body: { _eq: $body } }) {
      id
      body
    }
  }
`;
const insert = gql`
  mutation Insert($notebook: uuid!) {
    insert_note_one(object: { notebook_id: $notebook, body: "urql" }) {
      id
      body
    }
  }
`;

const dataOf = ({ data, error }) => {
  if (error) throw error;
  return data;
};

await run({
  async "a query"() {
    assert.deepEqual(dataOf(await client.query(list, { body: "urql" })), { note: [] });
  },
  async "a mutation"() {
    const data = dataOf(await client.mutation(insert, { notebook }));
    assert.equal(data.insert_note_one.body, "urql");
  },
  async "a query after it, past the cache"() {
    const data = dataOf(await client.query(list, { body: "urql" }, { requestPolicy: "network-only" }));
    assert.equal(data.note.length, 1);
  },
  async "a subscription"() {
    const subscription = gql`
      subscription {
        note(limit: 1) {
          id
        }
      }
    `;
    const first = await new Promise((resolve) => {
      const { unsubscribe } = client.subscription(subscription, {}).subscribe((result) => {
        resolve(result);
        setImmediate(() => unsubscribe());
      });
    });
    assert.equal(dataOf(first).note.length, 1);
  },
  async "an error keeps its code"() {
    const { error } = await client.query(
      gql`
        {
          note {
            nothing
          }
        }
      `,
      {},
    );
    assert.equal(error?.graphQLErrors[0]?.extensions.code, "validation-failed");
  },
});
