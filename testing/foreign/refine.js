import hasura, { GraphQLClient, graphqlWS, liveProvider } from "@refinedev/hasura";
import WebSocket from "ws";
import { assert, headers, notebook, run, url } from "./steps.js";

// @refinedev/hasura: the data provider of an admin panel, over one table.
const resource = "note";
const provider = hasura(new GraphQLClient(url, { headers }), { idType: "Int" });
const meta = { fields: ["id", "body", "rating", "mood"] };

/** The bodies that a filter lets through. */
const bodies = async (filters, rest = {}) => {
  const sorters = [{ field: "body", order: "asc" }];
  const { data, total } = await provider.getList({ resource, meta, filters, sorters, ...rest });
  assert.equal(total, data.length);
  return data.map(({ body }) => body);
};
const filter = (field, operator, value, expected) => async () =>
  assert.deepEqual(await bodies([{ field, operator, value }]), expected);
let id;

await run({
  async createMany() {
    const variables = [
      { notebook_id: notebook, body: "Ada", rating: 1 },
      { notebook_id: notebook, body: "ada", rating: 2, mood: "sad" },
      { notebook_id: notebook, body: "Bob", rating: 3, price: 2.5 },
    ];
    const { data } = await provider.createMany({ resource, variables, meta });
    assert.equal(data.length, 3);
  },
  async create() {
    const variables = { notebook_id: notebook, body: "new", rating: 9 };
    ({
      data: { id },
    } = await provider.create({ resource, variables, meta }));
    assert.equal(typeof id, "number");
  },
  async getOne() {
    assert.equal((await provider.getOne({ resource, id, meta })).data.body, "new");
  },
  async getMany() {
    assert.equal((await provider.getMany({ resource, ids: [id], meta })).data.length, 1);
  },
  async update() {
    const variables = { rating: 8 };
    const { data } = await provider.update({ resource, id, variables, meta });
    assert.equal(data.rating, 8);
  },
  async updateMany() {
    const { data } = await provider.updateMany({ resource, ids: [id], variables: { rating: 7 }, meta });
    assert.deepEqual(
      data.map((row) => row.rating),
      [7],
    );
  },
  async deleteOne() {
    assert.equal((await provider.deleteOne({ resource, id, meta })).data.id, id);
  },
  async deleteMany() {
    const { data } = await provider.deleteMany({ resource, ids: [id], meta });
    assert.deepEqual(data, []);
  },
  eq: filter("body", "eq", "Ada", ["Ada"]),
  ne: filter("body", "ne", "Ada", ["Bob", "ada"]),
  lt: filter("rating", "lt", 2, ["Ada"]),
  gte: filter("rating", "gte", 2, ["Bob", "ada"]),
  in: filter("body", "in", ["Ada", "Bob"], ["Ada", "Bob"]),
  nin: filter("body", "nin", ["Ada", "Bob"], ["ada"]),
  contains: filter("body", "contains", "D", ["Ada", "ada"]),
  ncontains: filter("body", "ncontains", "D", ["Bob"]),
  containss: filter("body", "containss", "A", ["Ada"]),
  ncontainss: filter("body", "ncontainss", "A", ["Bob", "ada"]),
  null: filter("price", "null", true, ["Ada", "ada"]),
  nnull: filter("price", "nnull", true, ["Bob"]),
  startswith: filter("body", "startswith", "a", ["Ada", "ada"]),
  nstartswith: filter("body", "nstartswith", "a", ["Bob"]),
  startswiths: filter("body", "startswiths", "A", ["Ada"]),
  nstartswiths: filter("body", "nstartswiths", "A", ["Bob", "ada"]),
  endswith: filter("body", "endswith", "B", ["Bob"]),
  nendswith: filter("body", "nendswith", "B", ["Ada", "ada"]),
  endswiths: filter("body", "endswiths", "b", ["Bob"]),
  nendswiths: filter("body", "nendswiths", "b", ["Ada", "ada"]),
  "a filter through a relation": filter("notebook.title", "eq", "of clients", ["Ada", "Bob", "ada"]),
  async "or, within and"() {
    const value = [
      { field: "body", operator: "eq", value: "Bob" },
      { field: "mood", operator: "eq", value: "sad" },
    ];
    assert.deepEqual(await bodies([{ operator: "or", value }]), ["Bob", "ada"]);
  },
  async "two sorters, in their order"() {
    const sorters = [
      { field: "mood", order: "desc" },
      { field: "rating", order: "desc" },
    ];
    const { data } = await provider.getList({ resource, meta, sorters });
    assert.deepEqual(
      data.map(({ body }) => body),
      ["ada", "Bob", "Ada"],
    );
  },
  async "a sorter through a relation"() {
    const sorters = [{ field: "notebook.title", order: "desc" }];
    assert.equal((await provider.getList({ resource, meta, sorters })).data.length, 3);
  },
  async "a page, and the total of all"() {
    const pagination = { currentPage: 2, pageSize: 2 };
    const { data, total } = await provider.getList({ resource, meta, pagination });
    assert.deepEqual([data.length, total], [1, 3]);
  },
  async custom() {
    const operation = "note_aggregate";
    const { data } = await provider.custom({
      url: "",
      method: "get",
      meta: { operation, fields: [{ aggregate: ["count"] }] },
    });
    assert.deepEqual(data.aggregate, { count: 3 });
  },
  async "a live list"() {
    const client = graphqlWS.createClient({
      url: url.replace("http", "ws"),
      webSocketImpl: WebSocket,
      connectionParams: { headers },
    });
    const live = liveProvider(client, { idType: "Int" });
    let received;
    const changed = new Promise((resolve) => (received = resolve));
    const params = { resource, meta, subscriptionType: "useList", pagination: { current: 1, pageSize: 10 } };
    const subscription = live.subscribe({ channel: "", types: ["*"], callback: received, params });
    assert.equal((await changed).length, 3);
    live.unsubscribe(subscription);
  },
});
