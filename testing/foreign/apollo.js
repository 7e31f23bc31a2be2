import { createHash } from "node:crypto";
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { assert, headers, notebook, run, url } from "./steps.js";

// Apollo Client, with its cache, persisted queries, GET and a socket.
const http = new HttpLink({ uri: url, headers });
const create = (link) => new ApolloClient({ link, cache: new InMemoryCache() });
const client = create(http);
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const list = gql`
  query Notes {
    note(where: { body: { _ilike: "apollo%" } }, order_by: { id: asc }) {
      id
      body
    }
  }
`;
const insert = gql`
  mutation Insert($notebook: uuid!, $body: String!) {
    insert_note_one(object: { notebook_id: $notebook, body: $body }) {
      id
      body
    }
  }
`;
const variables = (body) => ({ notebook, body });
let id;

await run({
  async "a query"() {
    assert.deepEqual((await client.query({ query: list })).data.note, []);
  },
  async "a mutation that updates the cached list"() {
    const { data } = await client.mutate({
      mutation: insert,
      variables: variables("apollo 1"),
      update(cache, { data: result }) {
        cache.updateQuery({ query: list }, ({ note }) => ({ note: [...note, result.insert_note_one] }));
      },
    });
    ({ id } = data.insert_note_one);
    assert.deepEqual(
      (await client.query({ query: list })).data.note.map((note) => note.body),
      ["apollo 1"],
    );
  },
  async "a mutation that changes a cached object by its id"() {
    const mutation = gql`
      mutation ($id: Int!) {
        update_note_by_pk(pk_columns: { id: $id }, _set: { body: "apollo 2" }) {
          id
          body
        }
      }
    `;
    await client.mutate({ mutation, variables: { id } });
    assert.equal((await client.query({ query: list })).data.note[0].body, "apollo 2");
  },
  async "a fragment"() {
    const query = gql`
      query {
        note(limit: 1) {
          ...Part
        }
      }
      fragment Part on note {
        id
        notebook {
          title
        }
      }
    `;
    assert.equal((await client.query({ query })).data.note[0].notebook.title, "of clients");
  },
  async "persisted queries, registered at their first use"() {
    const persisted = create(new PersistedQueryLink({ sha256 }).concat(http));
    for (const fetchPolicy of ["network-only", "network-only"])
      assert.equal((await persisted.query({ query: list, fetchPolicy })).data.note.length, 1);
  },
  async "persisted queries by GET"() {
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(http);
    assert.equal((await create(link).query({ query: list })).data.note.length, 1);
  },
  async "queries by GET"() {
    const link = new HttpLink({ uri: url, headers, useGETForQueries: true });
    assert.equal((await create(link).query({ query: list })).data.note.length, 1);
  },
  async "a subscription over graphql-ws"() {
    const sockets = createClient({
      url: url.replace("http", "ws"),
      webSocketImpl: WebSocket,
      connectionParams: { headers },
    });
    const link = ApolloLink.split(
      ({ operationType }) => operationType === "subscription",
      new GraphQLWsLink(sockets),
      http,
    );
    const first = await new Promise((resolve, reject) => {
      const query = gql`
        subscription {
          note(limit: 1) {
            id
          }
        }
      `;
      create(link).subscribe({ query }).subscribe({ next: resolve, error: reject });
    });
    assert.equal(first.data.note.length, 1);
  },
  async "an error of the document keeps its code"() {
    const error = await client
      .query({
        query: gql`
          {
            note {
              nothing
            }
          }
        `,
      })
      .catch((reason) => reason);
    assert.ok(CombinedGraphQLErrors.is(error));
    assert.equal(error.errors[0].extensions.code, "validation-failed");
  },
  async "a refused token keeps its code"() {
    const refused = create(new HttpLink({ uri: url, headers: { authorization: "Bearer x" } }));
    const error = await refused.query({ query: list }).catch((reason) => reason);
    assert.ok(CombinedGraphQLErrors.is(error));
    assert.equal(error.errors[0].extensions.code, "access-denied");
  },
});
