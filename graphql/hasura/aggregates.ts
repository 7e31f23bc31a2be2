import { hash } from "node:crypto";
import {
  loadOneWithPgClient,
  PgSelectSingleStep,
  type PgClient,
  type PgSelectQueryBuilder,
} from "postgraphile/@dataplan/pg";
import { lambda, object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLInputType } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { aggregatesOf, countedColumns, countSql } from "./aggregate_functions.ts";
import { AggregateFieldStep, AggregateStep, AggregationStep, atRoot, type Aggregation } from "./aggregation_steps.ts";
import { applyList, commaList, listArguments, listOf, rowsSql } from "./lists.ts";
import { column, parameter } from "./columns.ts";
import { tablesOf, type Relation, type Table } from "./tables.ts";
import { allOf, belongsTo } from "./where.ts";

/**
 * The subquery for an aggregation, as JSON: numbers beyond JavaScript's are text.
 * @param condition that rows belong to another one
 */
function aggregationSql(table: Table, { list, values }: Aggregation, condition?: (alias: SQL) => SQL): SQL {
  const [alias, inner] = [sql.identifier(Symbol(table.name)), sql.identifier(Symbol(table.name))];
  const results = values.map(({ toSql, args }) => toSql(alias, args as never));
  const columns = [...new Set(values.flatMap(({ columns: used, args }) => used(args as never)))];
  const select =
    columns.length === 0
      ? sql`1`
      : commaList(columns.map((each) => sql`${column(inner, each)} as ${sql.identifier(each.sqlName)}`));
  const rows = rowsSql(table, inner, list, { select, ...(condition && { condition: condition(inner) }) });
  return sql`(select json_build_array(${commaList(results)}) from (${rows}) as ${alias})`;
}

/** Adds user_session_aggregate { aggregate { count max { created_at } … } nodes } to the root, and to rows of accounts. */
export const aggregates: GraphileConfig.Plugin = {
  name: "LatchkeyAggregates",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          for (const table of tablesOf(build)) registerTypes(build, table);
          return _;
        },
      },
      GraphQLObjectType_fields(fields, build, { scope }) {
        const created: Record<string, ReturnType<typeof aggregateField>> = {};
        for (const table of tablesOf(build)) {
          if (scope.isRootQuery) created[`${table.name}_aggregate`] = aggregateField(build, table);
          else if (scope.isPgClassType && scope.pgCodec === table.resource.codec)
            for (const relation of table.relations.filter(({ isToMany }) => isToMany))
              created[`${relation.name}_aggregate`] = aggregateField(build, relation.remote(), { table, relation });
        }
        return build.extend(fields, created as never, "aggregates");
      },
    },
  },
};

interface Parent {
  table: Table;
  relation: Relation;
}

function aggregateField(build: GraphileBuild.Build, table: Table, parent?: Parent) {
  return {
    type: new build.graphql.GraphQLNonNull(build.getOutputTypeByName(`${table.name}_aggregate`)),
    // `limit` is that of the counted rows, so it has no default.
    args: listArguments(build, table, null) as Record<string, { type: GraphQLInputType }>,
    plan($parent: Step, $args: FieldArgs) {
      const $aggregation = atRoot(() => new AggregationStep(listOf(table, $args)));
      const keys = parent?.relation.localColumns ?? [];
      const $row = $parent as PgSelectSingleStep;
      const nodes = () => {
        const found = Object.fromEntries(
          keys.map((name, index) => [parent?.relation.remoteColumns[index] ?? "", $row.get(name)]),
        );
        const $rows = table.resource.find(found);
        applyList(table, $rows as never, $args, { parts: parent?.relation.remoteColumns });
        return $rows;
      };
      const $results =
        parent && $parent instanceof PgSelectSingleStep
          ? inRow($parent as PgSelectSingleStep, parent, table, $aggregation)
          : loaded(table, parent, object(Object.fromEntries(keys.map((name) => [name, $row.get(name)]))), $aggregation);
      return new AggregateFieldStep(new AggregateStep($results, $aggregation), nodes);
    },
  };
}

/** Selects the aggregation as one more column of the row to which the aggregated rows belong. */
function inRow($row: PgSelectSingleStep, { relation }: Parent, table: Table, $aggregation: AggregationStep) {
  const $rows = $row.getClassStep();
  const key = `aggregate ${$aggregation.id}`;
  const select = (aggregation: Aggregation) => (rows: PgSelectQueryBuilder) => {
    if (aggregation.values.length === 0) return;
    const aggregated = aggregationSql(table, aggregation, (inner) => belongsTo(rows.alias, inner, relation));
    rows.setMeta(key, rows.selectAndReturnIndex(sql`${aggregated}::text`));
  };
  $rows.apply(atRoot(() => lambda($aggregation, select, true)));
  return lambda(
    [$row, $rows.getMeta(key)] as never,
    ([row, index]: [string[] | null, number | undefined]) =>
      row && index !== undefined ? (JSON.parse(row[index] ?? "[]") as unknown[]) : [],
    true,
  );
}

/** Runs a statement of its own: for the root, and for a written row. */
function loaded(table: Table, parent: Parent | undefined, $keys: Step, $aggregation: AggregationStep): Step<unknown[]> {
  const load = async (
    client: PgClient,
    keys: Record<string, unknown>,
    aggregation: Aggregation,
  ): Promise<unknown[]> => {
    if (aggregation.values.length === 0) return [];
    const belongs = parent && ((inner: SQL) => hasKeys(parent, inner, keys));
    const { text, values } = sql.compile(sql`select ${aggregationSql(table, aggregation, belongs)}::text as results`);
    const { rows } = await client.query<{ results: string }>({ text, values, name: hash("sha1", text, "base64") });
    return JSON.parse(rows[0]?.results ?? "[]") as unknown[];
  };
  const $spec = object({ keys: $keys, aggregation: $aggregation });
  return loadOneWithPgClient(
    table.resource.executor,
    $spec as never,
    (pgClient: PgClient, specs: readonly { keys: Record<string, unknown>; aggregation: Aggregation }[]) =>
      Promise.all(specs.map(({ keys, aggregation }) => load(pgClient, keys, aggregation))),
  ) as Step<unknown[]>;
}

const hasKeys = ({ table, relation }: Parent, inner: SQL, keys: Record<string, unknown>): SQL =>
  allOf(
    relation.localColumns.map((name, index) => {
      const local = table.readable.find(({ sqlName }) => sqlName === name);
      const remote = column(inner, { sqlName: relation.remoteColumns[index] ?? "" });
      return local ? sql`${remote} = ${parameter(local.codec, keys[name])}` : sql`false`;
    }),
  );

function registerTypes(build: GraphileBuild.Build, table: Table): void {
  const { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  const { name } = table;
  const register = (typeName: string, fields: () => Record<string, object>) =>
    build.registerObjectType(typeName, {}, () => ({ assertStep: null, fields }) as never, "aggregates");

  register(`${name}_aggregate`, () => ({
    aggregate: {
      type: new GraphQLNonNull(build.getOutputTypeByName(`${name}_aggregate_fields`)),
      plan: ($field: AggregateFieldStep) => $field.aggregate,
    },
    nodes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.getOutputTypeByName(name)))),
      plan: ($field: AggregateFieldStep) => $field.nodes(),
    },
  }));
  register(`${name}_aggregate_fields`, () => ({
    count: {
      type: new GraphQLNonNull(GraphQLInt),
      args: {
        columns: { type: new GraphQLList(new GraphQLNonNull(build.getInputTypeByName(`${name}_select_column`))) },
        distinct: { type: GraphQLBoolean },
      },
      plan: ($aggregate: AggregateStep, $args: FieldArgs) =>
        $aggregate.result(
          {
            columns: (args: { columns?: string[] }) => countedColumns(table, args),
            toSql: (alias, args: { columns?: string[]; distinct?: boolean }) =>
              countSql(table, args, ({ sqlName }) => column(alias, { sqlName }))(alias),
          },
          { columns: $args.getRaw("columns"), distinct: $args.getRaw("distinct") },
        ),
    },
    ...Object.fromEntries(
      aggregatesOf(table).map(([fn]) => [
        fn,
        { type: build.getOutputTypeByName(`${name}_${fn}_fields`), plan: ($aggregate: AggregateStep) => $aggregate },
      ]),
    ),
  }));
  for (const [fnName, fn, columns] of aggregatesOf(table))
    register(`${name}_${fnName}_fields`, () =>
      Object.fromEntries(
        columns.map((each) => [
          each.name,
          {
            type: build.getOutputTypeByName(fn.scalar(each)),
            plan: ($aggregate: AggregateStep) =>
              $aggregate.result({
                columns: () => [each],
                // A number as a number, everything else as PostgreSQL's text.
                toSql: (alias) => jsonOf(fn.scalar(each), fn.toSql(column(alias, { sqlName: each.sqlName }))),
              }),
          },
        ]),
      ),
    );
}

const jsonOf = (scalar: string, value: SQL): SQL =>
  ["Int", "Float", "String", "timestamptz", "timestamp"].includes(scalar) ? value : sql`(${value})::text`;
