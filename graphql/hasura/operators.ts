import { listOfCodec, type PgCodec } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { parameter, textCodec, typeOf } from "./columns.ts";

/** What an operator compares with: values of the column's scalar, or others. */
type Operand = "value" | "values" | "boolean" | "text" | "texts" | "cast";

interface Operator {
  operand: Operand;
  /** @param left the column @param codec of the column; of its items for one of an array */
  toSql: (left: SQL, value: unknown, codec: PgCodec) => SQL;
}

const text = sql`text`;
const asText = (value: unknown): SQL => sql`${sql.value(String(value))}::${text}`;
const asTexts = (value: unknown): SQL => sql`${sql.value(listOfCodecOf(textCodec).toPg(value))}::${text}[]`;

const binary = (operator: SQL): Operator => ({
  operand: "value",
  toSql: (left, value, codec) => sql`${left} ${operator} ${parameter(codec, value)}`,
});
const ofText = (operator: SQL): Operator => ({
  operand: "text",
  toSql: (left, value) => sql`${left} ${operator} ${asText(value)}`,
});
const ofTexts = (operator: SQL): Operator => ({
  operand: "texts",
  toSql: (left, value) => sql`${left} ${operator} ${asTexts(value)}`,
});

/** The codec of a column that is no array: only those have lists. */
type ScalarCodec = PgCodec & { arrayOfCodec?: never };
export const listOfCodecOf = (codec: PgCodec): PgCodec => listOfCodec(codec as ScalarCodec);

/** Binds the list as one parameter, so that the statement's text does not depend on its length. */
const isIn: Operator["toSql"] = (left, values, codec) => sql`${left} = any(${parameter(listOfCodecOf(codec), values)})`;

const isNull: Operator = {
  operand: "boolean",
  toSql: (left, value) => (value === true ? sql`${left} is null` : sql`${left} is not null`),
};

const comparisons: Record<string, Operator> = {
  _eq: binary(sql`=`),
  _neq: binary(sql`<>`),
  _gt: binary(sql`>`),
  _gte: binary(sql`>=`),
  _lt: binary(sql`<`),
  _lte: binary(sql`<=`),
};

const lists: Record<string, Operator> = {
  _in: { operand: "values", toSql: isIn },
  _nin: { operand: "values", toSql: (left, values, codec) => sql`not (${isIn(left, values, codec)})` },
};

/** An array of arrays has one length for all of them in PostgreSQL, so each array is bound as its text. */
const isOneOf: Operator["toSql"] = (left, values, codec) =>
  sql`${left} = any (select listed::${codec.sqlType} from unnest(${asTexts((values as unknown[]).map((value) => codec.toPg(value)))}) listed)`;

const listsOfArrays: Record<string, Operator> = {
  // "is": PostgreSQL joins a bare `any (select …)`, which takes planning time that no time-out interrupts.
  _in: { operand: "values", toSql: (left, values, codec) => sql`(${isOneOf(left, values, codec)}) is true` },
  _nin: { operand: "values", toSql: (left, values, codec) => sql`(${isOneOf(left, values, codec)}) is false` },
};

const patterns: Record<string, Operator> = {
  _similar: ofText(sql`similar to`),
  _nsimilar: ofText(sql`not similar to`),
  _regex: ofText(sql`~`),
  _nregex: ofText(sql`!~`),
  _iregex: ofText(sql`~*`),
  _niregex: ofText(sql`!~*`),
};

const ofStrings: Record<string, Operator> = {
  _like: binary(sql`like`),
  _nlike: binary(sql`not like`),
  _ilike: binary(sql`ilike`),
  _nilike: binary(sql`not ilike`),
  ...patterns,
};

const contains: Record<string, Operator> = { _contains: binary(sql`@>`), _contained_in: binary(sql`<@`) };

const ofPath = (operator: SQL): Operator => ({
  operand: "text",
  toSql: (left, value) => sql`${left} ${operator} ${sql.value(String(value))}::jsonpath`,
});

/** A path may hold a regular expression (like_regex). */
const paths: Record<string, Operator> = { _jsonb_path_exists: ofPath(sql`@?`), _jsonb_path_match: ofPath(sql`@@`) };

const ofJsonb: Record<string, Operator> = {
  ...contains,
  _has_key: ofText(sql`?`),
  _has_keys_any: ofTexts(sql`?|`),
  _has_keys_all: ofTexts(sql`?&`),
  ...paths,
  // where.ts compares the text.
  _cast: { operand: "cast", toSql: (left) => left },
};

const ofAny = (operator: SQL): Operator => ({
  operand: "values",
  toSql: (left, values, codec) => sql`${left} ${operator} any(${parameter(listOfCodecOf(codec), values)})`,
});

const ofLtree: Record<string, Operator> = {
  _ancestor: binary(sql`@>`),
  _ancestor_any: ofAny(sql`@>`),
  _descendant: binary(sql`<@`),
  _descendant_any: ofAny(sql`<@`),
  _matches: { operand: "text", toSql: (left, value) => sql`${left} ~ ${sql.value(String(value))}::lquery` },
  _matches_any: { operand: "texts", toSql: (left, values) => sql`${left} ~ any(${asTexts(values)}::lquery[])` },
  _matches_fulltext: { operand: "text", toSql: (left, value) => sql`${left} @ ${sql.value(String(value))}::ltxtquery` },
};

/** Types that PostgreSQL cannot compare, or compares by their size. */
const incomparable = new Set("json xml point line lseg box path polygon circle jsonpath".split(" "));
const isIncomparable = (codec: PgCodec): boolean => incomparable.has(typeOf(codec));

/** The operators of a column, by the name of its scalar. */
export function operatorsOf(codec: PgCodec, scalar: string): Record<string, Operator> {
  const { arrayOfCodec } = codec;
  if (isIncomparable((arrayOfCodec as PgCodec | undefined) ?? codec)) return { _is_null: isNull };
  if (arrayOfCodec) return { _is_null: isNull, ...comparisons, ...listsOfArrays, ...contains };
  return {
    _is_null: isNull,
    ...comparisons,
    ...lists,
    ...(["String", "citext"].includes(scalar) && ofStrings),
    ...(scalar === "jsonb" && ofJsonb),
    ...(scalar === "ltree" && ofLtree),
  };
}

export const isOrdered = (codec: PgCodec): boolean =>
  codec.attributes === undefined && !isIncomparable((codec.arrayOfCodec as PgCodec | undefined) ?? codec);

/** Operators whose operand is a list of values. */
export const listOperators = new Set(
  "_in _nin _has_keys_any _has_keys_all _ancestor_any _descendant_any _matches_any".split(" "),
);

/** PostgreSQL's time for these grows without bound in a short pattern: a request that has one pays for all of it. */
export const patternOperators = new Set(Object.keys({ ...patterns, ...paths }));
