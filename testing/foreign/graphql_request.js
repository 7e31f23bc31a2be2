import { ClientError, GraphQLClient, gql } from "graphql-request";
import { graphql } from "./.cache/generated/gql.ts";
import { assert, headers, notebook, run, url } from "./steps.js";

// graphql-request, with plain documents and with those that graphql-codegen's client preset types.
const client = new GraphQLClient(url, { headers });

await run({
  async "a query"() {
    assert.deepEqual(
      await client.request(gql`
        {
          note(where: { body: { _eq: "request" } }) {
            id
          }
        }
      `),
      { note: [] },
    );
  },
  async "a mutation with variables"() {
    const insert = gql`
      mutation ($object: note_insert_input!) {
        insert_note_one(object: $object) {
          body
        }
      }
    `;
    const object = { notebook_id: notebook, body: "request" };
    assert.deepEqual(await client.request(insert, { object }), { insert_note_one: { body: "request" } });
  },
  async "a document of the client preset"() {
    const typed = graphql(`
      query Notes($body: String!) {
        note(where: { body: { _eq: $body } }) {
          body
          rating
        }
      }
    `);
    assert.deepEqual(await client.request(typed, { body: "request" }), { note: [{ body: "request", rating: 0 }] });
  },
  async "a query by GET"() {
    const get = new GraphQLClient(url, { headers, method: "GET" });
    assert.equal(
      (
        await get.request(gql`
          {
            note_aggregate {
              aggregate {
                count
              }
            }
          }
        `)
      ).note_aggregate.aggregate.count,
      1,
    );
  },
  async "an error keeps its code"() {
    const error = await client
      .request(gql`
        {
          note {
            nothing
          }
        }
      `)
      .catch((reason) => reason);
    assert.ok(error instanceof ClientError);
    assert.equal(error.response.errors?.[0]?.extensions.code, "validation-failed");
  },
});
