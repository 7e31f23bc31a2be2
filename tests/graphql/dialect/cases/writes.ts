import { cases } from "./case.ts";

const update = (changes: string, returned = "data"): string =>
  `mutation { update_note(where: { body: { _eq: "apple" } }, ${changes}) { affected_rows returning { ${returned} } } }`;
const updated = (data: object): object => ({ update_note: { affected_rows: 1, returning: [data] } });
/** Takes the changes of the documents before it back. */
const restored: [string, object] = [
  `mutation { update_note(where: { body: { _eq: "apple" } }, _set: { data: { x: 1, list: [1, 2] }, rating: 1 }) { affected_rows } }`,
  { update_note: { affected_rows: 1 } },
];

export const writes = [
  ...cases(
    "`insert_X`, `insert_X_one`, `on_conflict`",
    [
      `mutation { insert_notebook(objects: [{ title: "one" }, { title: "two" }]) { affected_rows returning { title } } }`,
      { insert_notebook: { affected_rows: 2, returning: [{ title: "one" }, { title: "two" }] } },
    ],
    [
      `mutation { delete_notebook(where: { title: { _in: ["one", "two"] } }) { affected_rows } }`,
      { delete_notebook: { affected_rows: 2 } },
    ],
    [
      `mutation { insert_settings_configuration(objects: [{ key: "OTP_RETENTION_DAYS", value: 31 }]) { affected_rows } }`,
      "constraint-violation",
      { as: "admin" },
    ],
    [
      `mutation { insert_notebook_one(object: { title: "x" }, on_conflict: { constraint: notebook_pkey, update_columns: [title] }) { title } }`,
      { insert_notebook_one: { title: "x" } },
    ],
    [
      `mutation { delete_notebook(where: { title: { _eq: "x" } }) { affected_rows } }`,
      { delete_notebook: { affected_rows: 1 } },
    ],
  ),
  ...cases(
    "Nested inserts, of both directions, and their `on_conflict`",
    [
      `mutation { insert_notebook_one(object: { title: "nested", notes: { data: [{ body: "n1", copies: { data: [{ notebook: { data: { title: "deep" } }, body: "n2" }] } }, { body: "n3" }] } }) { title notes(limit: 5, order_by: { body: asc }) { body copies(limit: 5) { body notebook { title } } } } }`,
      {
        insert_notebook_one: {
          title: "nested",
          notes: [
            { body: "n1", copies: [{ body: "n2", notebook: { title: "deep" } }] },
            { body: "n3", copies: [] },
          ],
        },
      },
    ],
    [
      `mutation { insert_note(objects: [{ body: "n4", notebook: { data: { title: "deep" } } }, { body: "n5", notebook: { data: { title: "deep" } } }]) { affected_rows returning { body notebook { title } } } }`,
      {
        insert_note: {
          affected_rows: 4,
          returning: [
            { body: "n4", notebook: { title: "deep" } },
            { body: "n5", notebook: { title: "deep" } },
          ],
        },
      },
    ],
    [
      `mutation { insert_note_one(object: { body: "n6", notebook: { data: { title: "${"x".repeat(101)}" } } }) { body } }`,
      "constraint-violation",
    ],
    [
      `mutation { insert_notebook(objects: [{ title: "deep", notes: { data: [{ body: "n7" }, { body: "n8" }] } }, { title: "deep" }]) { returning { notes_aggregate(limit: 5) { aggregate { count max { body } } nodes { body } } } } }`,
      {
        insert_notebook: {
          returning: [
            { notes_aggregate: { aggregate: { count: 2, max: { body: "n8" } }, nodes: [{}, {}] } },
            { notes_aggregate: { aggregate: { count: 0, max: { body: null } }, nodes: [] } },
          ],
        },
      },
    ],
    [`{ note(where: { body: { _eq: "n6" } }) { body } }`, { note: [] }],
    [
      `mutation { delete_notebook(where: { title: { _in: ["nested", "deep"] } }) { affected_rows } }`,
      { delete_notebook: { affected_rows: 6 } },
    ],
  ),
  ...cases(
    "`update_X`, `update_X_by_pk`, `delete_X`, `delete_X_by_pk`",
    [update(`_set: { rating: 9 }`, "rating"), updated({ rating: 9 })],
    restored,
    [update(`_set: {}`), { update_note: { affected_rows: 0, returning: [] } }],
    [`mutation { update_note(where: {}) { affected_rows } }`, "validation-failed"],
    [`mutation { update_note_by_pk(pk_columns: { id: 0 }, _set: { rating: 1 }) { id } }`, { update_note_by_pk: null }],
    [`mutation { delete_note_by_pk(id: 0) { id } }`, { delete_note_by_pk: null }],
  ),
  ...cases(
    "`_inc`",
    [update(`_inc: { rating: 2, price: "0.5" }`, "rating price"), updated({ rating: 3, price: "2.00" })],
    [update(`_inc: { price: -0.5 }`, "price"), updated({ price: "1.50" })],
    restored,
  ),
  ...cases(
    "`_append _prepend _delete_key _delete_elem _delete_at_path` on jsonb",
    [update(`_append: { data: { y: 1 } }`), updated({ data: { x: 1, list: [1, 2], y: 1 } })],
    [update(`_delete_key: { data: "y" }`), updated({ data: { x: 1, list: [1, 2] } })],
    [update(`_delete_at_path: { data: ["list", "0"] }`), updated({ data: { x: 1, list: [2] } })],
    [update(`_set: { data: [1] }`), updated({ data: [1] })],
    [update(`_prepend: { data: [0] }`), updated({ data: [0, 1] })],
    [update(`_delete_elem: { data: 0 }`), updated({ data: [1] })],
    restored,
    [update(`_set: { data: 1 }, _append: { data: 2 }`), "validation-failed"],
    [
      `mutation { update_settings_configuration(where: { key: { _eq: "OTP_PROVIDER" } }, _append: { value: { http: { url: "https://sms.example.com" } } }) { affected_rows } }`,
      { update_settings_configuration: { affected_rows: 1 } },
      { as: "admin" },
    ],
  ),
  ...cases(
    "`update_X_many`",
    [
      `mutation { update_note_many(updates: [{ where: { body: { _eq: "apple" } }, _set: { rating: 5 } }, { where: { body: { _eq: "apple" } }, _inc: { rating: 1 } }]) { affected_rows returning { rating } } }`,
      {
        update_note_many: [
          { affected_rows: 1, returning: [{ rating: 5 }] },
          { affected_rows: 1, returning: [{ rating: 6 }] },
        ],
      },
    ],
    [
      `mutation { update_note_many(updates: [{ where: { body: { _eq: "apple" } }, _set: { rating: 7 } }, { where: { body: { _eq: "apple" } }, _set: { mood: "unknown" } }]) { affected_rows } }`,
      "validation-failed",
    ],
    [`{ note(where: { body: { _eq: "apple" } }) { rating } }`, { note: [{ rating: 6 }] }],
    restored,
  ),
];
