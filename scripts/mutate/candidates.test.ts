import { expect, test } from "vitest";
import { allCandidates, findCandidates } from "./candidates.ts";
import { keyOf, readEquivalents } from "./equivalents.ts";
import { shuffle } from "./sample.ts";

const head = "create or replace function private.f(a integer)\nreturns integer\nlanguage plpgsql volatile\nas $$\n";
const inBody = (body: string) => findCandidates("functions/private/f.sql", `${head}${body}\n$$;\n`);

/** The changes of a body of one line. */
const changes = (body: string) => inBody(body).map(({ change }) => /→ `(.*)`$/.exec(change)?.[1]);

test.each([
  ["v := a < b;", ["v := a <= b;"]],
  ["v := a <= b;", ["v := a < b;"]],
  ["v := a > b;", ["v := a >= b;"]],
  ["v := a >= b;", ["v := a > b;"]],
  ["v := a = b;", ["v := a <> b;"]],
  ["v := a <> b;", ["v := a = b;"]],
  ["v := a and b;", ["v := a or b;"]],
  ["v := a or b;", ["v := a and b;"]],
  ["v := a + b;", ["v := a - b;"]],
  ["v := a - b;", ["v := a + b;"]],
  ["v := least(a, b);", ["v := greatest(a, b);"]],
  ["v := greatest(a, b);", ["v := least(a, b);"]],
  ["v := a is null;", ["v := a is not null;"]],
  ["v := a is not null;", ["v := a is null;"]],
  ["v := not a;", ["v := a;"]],
  ["v := a is not distinct from b;", ["v := a is distinct from b;"]],
  ["v := coalesce(f(a, b), c, d);", ["v := (c, d);"]],
  ["v := a is distinct from b;", ["v := a is not distinct from b;"]],
  ["v := nullif(f(a, b), c);", ["v := (f(a, b));"]],
  ["v := a * b / c % d;", ["v := a / b / c % d;", "v := a * b * c % d;", "v := a * b / c * d;"]],
  ["v := a ~ b;", ["v := a !~ b;"]],
  ["v := a !~ b;", ["v := a ~ b;"]],
  ["v := a -> b;", ["v := a ->> b;"]],
  ["v := (a ->> 'b')::integer;", []],
  ["v := (a #>> array[b, 'c'])::bigint;", []],
  ["v := (a ->> 'b')::boolean;", ["v := (a -> 'b')::boolean;"]],
  ["v := a #>> b;", ["v := a #> b;"]],
  ["v := a like b;", ["v := a not like b;"]],
  ["v := a not like b;", ["v := a like b;"]],
  ["v := a in (b, c);", ["v := a not in (b, c);"]],
  ["v := exists (select from t);", ["v := not exists (select from t);"]],
  ["v := not exists (select from t);", ["v := exists (select from t);"]],
  ["v := a between b and c;", ["v := a not between b and c;", "v := a between b or c;"]],
  ["v := any (a);", ["v := all (a);"]],
  ["v := true;", ["v := false;"]],
  ["select from t order by a desc;", ["select from t order by a asc;"]],
  [
    "v := 'a' || b.c[i]::text || f(d)(e) || (g);",
    ["v := 'a' || f(d)(e) || (g);", "v := 'a' || b.c[i]::text || (g);", "v := 'a' || b.c[i]::text || f(d)(e) ;"],
  ],
  ["v := a[7];", ["v := a[(8)];", "v := a[(6)];"]],
])("an operator changes: %s", (body, expected) => {
  expect(changes(body)).toEqual(expected);
});

test.each([
  ["select from t for update;", ["select from t ;"]],
  ["select from t for no key update;", ["select from t ;"]],
  ["select from t for share of t;", ["select from t ;"]],
  ["select from t for update of t skip locked;", ["select from t ;", "select from t for update of t;"]],
  ["v := pg_try_advisory_xact_lock(hash(a, b));", ["v := true;"]],
  ["begin perform pg_advisory_xact_lock(a); end", ["begin null; end", "begin perform true; end"]],
])("a lock is removed: %s", (body, expected) => {
  expect(changes(body)).toEqual(expected);
});

test.each([
  [
    "begin if case when a then b end then v := c; end if; end",
    [
      "begin if not (case when a then b end) then v := c; end if; end",
      "begin if case when not (a) then b end then v := c; end if; end",
    ],
  ],
  ["else v := a; elsif b then v := c; end if;", ["else v := a; elsif not (b) then v := c; end if;"]],
  ["begin perform private.g(a); end", ["begin null; end"]],
  ["loop exit when found; end loop;", ["loop null; end loop;"]],
  ["begin v := a; return v; v := b; end", ["begin v := a; null; v := b; end"]],
  ["begin v := a; return v; end", []],
  ["begin for x in a loop return x; end loop; end", ["begin for x in a loop null; end loop; end"]],
])("a statement changes: %s", (body, expected) => {
  expect(changes(body)).toEqual(expected);
});

test("strings, quoted names and comments stay as they are", () => {
  expect(inBody("v := 'a = 1 and it''s b < 2' ! \"x-1\"; -- a = 1\n/* not a\n 2 */")).toEqual([]);
});

test("what is outside of the body stays as it is", () => {
  const comment = "comment on function private.f(integer) is $$a = 1 and not b$$;\n";
  expect(findCandidates("functions/private/f.sql", `${head}begin\nend\n$$;\n${comment}`)).toEqual([]);
});

test("assignments and named arguments are no comparisons", () => {
  expect(inBody("v := f(a => b)::text;")).toEqual([]);
});

test("a candidate names its line, and the changed lines as one", () => {
  const [candidate] = inBody("begin\n  perform private.g(\n    a\n  );\nend");
  expect(candidate).toMatchObject({
    path: "functions/private/f.sql",
    line: 6,
    kind: "perform",
    change: "`perform private.g( a );` → `null;`",
    mutated: `${head}begin\n  null;\nend\n$$;\n`,
  });
});

test("every candidate of our functions changes its file", () => {
  const candidates = allCandidates();
  expect(candidates.length).toBeGreaterThan(500);
  expect(new Set(candidates.map(({ mutated }) => mutated)).size).toBeGreaterThan(candidates.length * 0.99);
});

test("a seed gives the same sample each time, another seed another one, and nothing is lost", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  expect(shuffle(items, 1)).toEqual(shuffle(items, 1));
  expect(shuffle(items, 1)).not.toEqual(shuffle(items, 2));
  expect(shuffle(items, 1).toSorted((a, b) => a - b)).toEqual(items);
});

test("every line of equivalent_mutants.txt is a candidate", () => {
  const keys = new Set(allCandidates().map(keyOf));
  expect([...readEquivalents()].filter((key) => !keys.has(key))).toEqual([]);
});

test("a line without a reason is an error", () => {
  expect(() => readEquivalents("functions/private/f.sql: `a < b` → `a <= b`:")).toThrow("needs path");
});
