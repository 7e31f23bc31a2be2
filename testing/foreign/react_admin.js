import buildHasuraProvider from "ra-data-hasura";
import { assert, headers, notebook, run, url } from "./steps.js";

// ra-data-hasura: the data provider of react-admin, which learns the tables by introspection.
const build = typeof buildHasuraProvider === "function" ? buildHasuraProvider : buildHasuraProvider.default;
const provider = await build({ clientOptions: { uri: url, headers } });
const resource = "note";
const pagination = { page: 1, perPage: 10 };

const list = async (filter, sort = { field: "body", order: "ASC" }) => {
  const { data, total } = await provider.getList(resource, { pagination, sort, filter });
  assert.equal(total, data.length);
  return data.map(({ body }) => body);
};
let id;

await run({
  async create() {
    for (const [body, rating] of [
      ["Ada", 1],
      ["ada", 2],
      ["Bob", 3],
    ])
      await provider.create(resource, { data: { notebook_id: notebook, body, rating, data: { of: body } } });
    const { data } = await provider.create(resource, { data: { notebook_id: notebook, body: "new" } });
    ({ id } = data);
    assert.equal(data.body, "new");
  },
  async getOne() {
    assert.equal((await provider.getOne(resource, { id })).data.body, "new");
  },
  async getMany() {
    assert.equal((await provider.getMany(resource, { ids: [id] })).data.length, 1);
  },
  async getManyReference() {
    const sort = { field: "id", order: "ASC" };
    const parameters = { target: "notebook_id", id: notebook, pagination, sort, filter: {} };
    assert.equal((await provider.getManyReference(resource, parameters)).total, 4);
  },
  async update() {
    const { data: previousData } = await provider.getOne(resource, { id });
    const { data } = await provider.update(resource, { id, data: { ...previousData, rating: 5 }, previousData });
    assert.equal(data.rating, 5);
  },
  async updateMany() {
    assert.deepEqual((await provider.updateMany(resource, { ids: [id], data: { rating: 6 } })).data, [id]);
  },
  async delete() {
    assert.equal((await provider.delete(resource, { id })).data.id, id);
  },
  async deleteMany() {
    assert.deepEqual((await provider.deleteMany(resource, { ids: [id] })).data, []);
  },
  async "getList, by part of a text"() {
    assert.deepEqual(await list({ body: "ad" }), ["Ada", "ada"]);
  },
  async "getList, by equality"() {
    assert.deepEqual(await list({ "body@_eq": "Ada" }), ["Ada"]);
  },
  async "getList, by an operator"() {
    assert.deepEqual(await list({ "body@_ilike": "ad" }), ["Ada", "ada"]);
  },
  async "getList, by several operators"() {
    assert.deepEqual(await list({ "rating@_gte": 2, "rating@_lt": 3 }), ["ada"]);
  },
  async "getList, by ids"() {
    const { data } = await provider.getList(resource, { pagination, sort: { field: "id", order: "ASC" }, filter: {} });
    assert.equal((await list({ ids: data.slice(0, 2).map((row) => row.id) })).length, 2);
  },
  async "getList, by a relation"() {
    assert.deepEqual(await list({ "notebook#title@_eq": "of clients", body: "Bob" }), ["Bob"]);
  },
  async "getList, by a jsonb column"() {
    assert.deepEqual(await list({ data: JSON.stringify({ of: "Bob" }) }), ["Bob"]);
  },
  async "getList, by a list"() {
    assert.deepEqual(await list({ "body@_in": ["Ada", "Bob"] }), ["Ada", "Bob"]);
  },
  async "getList, sorted by two columns"() {
    assert.deepEqual(await list({}, { field: "mood,rating", order: "ASC,DESC" }), ["Bob", "ada", "Ada"]);
  },
  async "getList, sorted by a relation"() {
    assert.equal((await list({}, { field: "notebook.title", order: "DESC" })).length, 3);
  },
  async "getList, distinct"() {
    const filter = { distinct_on: "mood" };
    const { data } = await provider.getList(resource, { pagination, sort: { field: "mood", order: "ASC" }, filter });
    assert.equal(data.length, 1);
  },
  async "getList, a page"() {
    const { data, total } = await provider.getList(resource, {
      pagination: { page: 2, perPage: 2 },
      sort: { field: "id", order: "ASC" },
      filter: {},
    });
    assert.deepEqual([data.length, total], [1, 3]);
  },
});
