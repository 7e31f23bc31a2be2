import { cases, notes } from "./case.ts";

const list = (args: string): string => `{ note(${args}) { body } }`;

export const lists = [
  ...cases(
    "`order_by` of several keys in one object, in the order in which they are written",
    [list(`order_by: { mood: desc, body: desc }`), notes("cake", "bread", "apple")],
    [list(`order_by: { body: desc, mood: desc }`), notes("cake", "bread", "apple")],
    [
      `query ($o: [note_order_by!]) { note(order_by: $o) { body } }`,
      notes("cake", "bread", "apple"),
      { variables: { o: { price: "desc_nulls_last", body: "asc" } } },
    ],
  ),
  ...cases(
    "`order_by` through a relation, of any depth",
    [list(`order_by: [{ notebook: { title: asc } }, { body: desc }]`), notes("cake", "bread", "apple")],
    [list(`order_by: { notebook: { user: { phone: asc }, title: desc }, body: asc }`), notes("apple", "bread", "cake")],
    [
      `query ($o: [note_order_by!]) { note(order_by: $o) { body } }`,
      notes("apple", "bread", "cake"),
      { variables: { o: { notebook: { title: "desc" }, body: "asc" } } },
    ],
    [
      `query ($o: note_order_by!) { note(order_by: [$o]) { body } }`,
      notes("cake", "bread", "apple"),
      { variables: { o: { notebook: { title: "asc" }, body: "desc" } } },
    ],
  ),
  ...cases(
    "`order_by` through an aggregate: `X_aggregate: {count, max: {…} …}`",
    [
      `{ notebook(order_by: { notes_aggregate: { count: desc } }) { title } }`,
      { notebook: [{ title: "kitchen" }, { title: "garden" }] },
    ],
    [
      `{ notebook(order_by: { notes_aggregate: { avg: { rating: desc } } }) { title } }`,
      { notebook: [{ title: "garden" }, { title: "kitchen" }] },
    ],
    [
      `{ user_account(order_by: { sessions_aggregate: { max: { created_at: desc } } }, limit: 1) { id } }`,
      { user_account: [{}] },
      { as: "admin" },
    ],
  ),
  ...cases(
    "`distinct_on`, one column or a list",
    [
      `{ note(distinct_on: mood, order_by: [{ mood: asc }, { body: desc }]) { mood body } }`,
      {
        note: [
          { mood: "glad", body: "bread" },
          { mood: "sad", body: "cake" },
        ],
      },
    ],
    [
      `{ note(distinct_on: [notebook_id, mood], order_by: [{ notebook_id: asc }, { mood: asc }]) { mood } }`,
      { note: [{}, {}] },
    ],
    [
      `{ notebook(order_by: { title: asc }, limit: 2) { title notes(distinct_on: mood, order_by: [{ mood: asc }, { body: desc }]) { body } } }`,
      {
        notebook: [
          { title: "garden", notes: [{ body: "cake" }] },
          { title: "kitchen", notes: [{ body: "bread" }] },
        ],
      },
    ],
    [`{ note(distinct_on: [mood], order_by: [{ body: asc }]) { body } }`, "validation-failed"],
  ),
  ...cases(
    '`limit`, `offset` (`"1"` as well), `X_by_pk`',
    [list(`order_by: { body: asc }, limit: 1, offset: "1"`), notes("bread")],
    [list(`order_by: { body: asc }, limit: 1, offset: 1`), notes("bread")],
    [`{ shop_product_by_pk(sku: "a") { name } }`, { shop_product_by_pk: { name: "apple" } }],
    [list(`limit: -1`), "validation-failed"],
    [list(`limit: 1001`), "limit-exceeded"],
  ),
  ...cases(
    "`X_aggregate {aggregate {count(columns, distinct)} nodes}`",
    [
      `{ note_aggregate { aggregate { count moods: count(columns: mood, distinct: true) pairs: count(columns: [mood, rating], distinct: true) priced: count(columns: [price]) } } }`,
      { note_aggregate: { aggregate: { count: 3, moods: 2, pairs: 3, priced: 3 } } },
    ],
    [
      `{ note_aggregate(where: { rating: { _gt: 1 } }, order_by: { body: desc }) { aggregate { count } nodes { body } } }`,
      { note_aggregate: { aggregate: { count: 2 }, nodes: [{ body: "cake" }, { body: "bread" }] } },
    ],
    [
      `query ($c: [note_select_column!]) { note_aggregate { aggregate { count(columns: $c, distinct: true) } } }`,
      { note_aggregate: { aggregate: { count: 2 } } },
      { variables: { c: ["mood"] } },
    ],
    [`{ note_aggregate { nodes { body } } }`, { note_aggregate: { nodes: [{}, {}, {}] } }],
  ),
  ...cases(
    "`limit`, `offset` and `distinct_on` of an aggregate count the limited rows",
    [
      `{ note_aggregate(limit: 2, order_by: { body: asc }) { aggregate { count max { rating } } nodes { body } } }`,
      {
        note_aggregate: { aggregate: { count: 2, max: { rating: 2 } }, nodes: [{ body: "apple" }, { body: "bread" }] },
      },
    ],
    [
      `{ note_aggregate(distinct_on: [mood]) { aggregate { count } } }`,
      { note_aggregate: { aggregate: { count: 2 } } },
    ],
    [`{ note_aggregate(offset: 1) { aggregate { count } } }`, { note_aggregate: { aggregate: { count: 2 } } }],
  ),
  ...cases(
    "`sum avg max min stddev stddev_pop stddev_samp var_pop var_samp variance`",
    [
      `{ note_aggregate { aggregate { sum { rating price } avg { rating price } max { rating price day body created_at } last: max { body } min { takes } stddev { rating } variance { rating } var_pop { rating } } } }`,
      {
        note_aggregate: {
          aggregate: {
            sum: { rating: 6, price: "16.50" },
            avg: { rating: 2, price: 5.5 },
            max: { rating: 3, price: "12.00", day: "2026-01-31", body: "cake" },
            last: { body: "cake" },
            min: { takes: "00:10:00" },
            stddev: { rating: 1 },
            variance: { rating: 1 },
          },
        },
      },
    ],
    [
      `{ user_session_aggregate(where: { role: { _eq: "none" } }) { aggregate { count max { created_at } min { created_at } } } }`,
      { user_session_aggregate: { aggregate: { count: 0, max: { created_at: null }, min: { created_at: null } } } },
      { as: "admin" },
    ],
  ),
  ...cases(
    "Aggregates of a relation, nested",
    [
      `{ notebook(order_by: { title: asc }) { title notes_aggregate(where: { rating: { _gt: 1 } }) { aggregate { count sum { rating } } nodes { body } } } }`.replace(
        "asc }",
        "asc }, limit: 2",
      ),
      {
        notebook: [
          {
            title: "garden",
            notes_aggregate: { aggregate: { count: 1, sum: { rating: 3 } }, nodes: [{ body: "cake" }] },
          },
          {
            title: "kitchen",
            notes_aggregate: { aggregate: { count: 1, sum: { rating: 2 } }, nodes: [{ body: "bread" }] },
          },
        ],
      },
    ],
    [
      `{ note(where: { body: { _eq: "cake" } }) { notebook { user { notebooks_aggregate { aggregate { count } } } notes_aggregate(limit: 1) { aggregate { count } } } } }`,
      {
        note: [
          {
            notebook: {
              user: { notebooks_aggregate: { aggregate: { count: 2 } } },
              notes_aggregate: { aggregate: { count: 1 } },
            },
          },
        ],
      },
    ],
  ),
  ...cases(
    "Functions of rows take `args`, `where`, `order_by`, `limit`, `offset`, `distinct_on`",
    [
      `{ shop_search(args: { term: "a", most: 3 }, where: { price: { _lt: 10 } }, order_by: { sku: desc }, limit: 1) { sku } }`,
      { shop_search: [{ sku: "b" }] },
    ],
    [`{ shop_search(args: { term: "a" }) { sku } }`, { shop_search: [{ sku: "a" }, { sku: "b" }] }],
    [
      `{ limits_of(args: { subject: "+12125552018" }, limit: 1, where: { policy: { _is_null: false } }, order_by: { policy: asc }) { policy } }`,
      { limits_of: [] },
      { as: "admin" },
    ],
    [`{ limits_of(subject: "+12125552018") { policy } }`, { limits_of: [] }, { as: "admin" }],
  ),
  ...cases(
    "`path` of json and jsonb",
    [
      `{ note(where: { body: { _eq: "apple" } }) { x: data(path: "$.x") second: data(path: "list[1]") quoted: data(path: "$['list'][0]") none: data(path: "$.a.b") raw(path: "[0]") data } }`,
      { note: [{ x: 1, second: 2, quoted: 1, none: null, raw: 1, data: { x: 1, list: [1, 2] } }] },
    ],
    [
      `query ($p: String) { note(where: { body: { _eq: "apple" } }) { data(path: $p) } }`,
      { note: [{ data: 1 }] },
      { variables: { p: "$.x" } },
    ],
    [`{ note { data(path: "$.[") } }`, "validation-failed"],
  ),
  ...cases("Functions of one value", [`{ shop_average }`, { shop_average: "5.5000000000000000" }]),
  ...cases(
    "Computed fields: a function that takes the row; in `where` and `order_by`, too",
    [`{ note(where: { label: { _eq: "* cake" } }) { label notebook { title } } }`, { note: [{ label: "* cake" }] }],
    [`{ note(order_by: { label: desc }, limit: 1) { label } }`, { note: [{ label: "* cake" }] }],
    [
      `{ note_aggregate { aggregate { max { label } } } }`,
      { note_aggregate: { aggregate: { max: { label: "* cake" } } } },
    ],
    [`{ note { label } }`, "validation-failed", { as: "admin" }],
    [`{ note { label } }`, "permission-error", { as: "guest" }],
  ),
];
