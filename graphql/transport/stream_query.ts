import {
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isObjectType,
  Kind,
  OperationTypeNode,
  parseType,
  print,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from "postgraphile/graphql";
import type { GraphqlRequest } from "../engine/documents/graphql_request.ts";
import { fragmentsOf } from "../engine/documents/fragments.ts";
import { Refusal } from "../refusal.ts";

/** user_session_stream(batch_size, cursor, where): rows beyond the cursor, which each batch moves on. */
export interface Stream {
  /** The request of the next batch. */
  next: () => GraphqlRequest;
  /**
   * Moves the cursor behind the rows of a batch.
   * @returns what to send, undefined if there is no new row, and whether there may be more rows
   */
  take: (result: ExecutionResult) => { result: ExecutionResult | undefined; isFull: boolean };
}

type Row = Record<string, unknown>;

/** What the server adds to a stream's query. A client's own variable or alias of such a name is refused as a second one. */
const added = { where: "_stream_where", orderBy: "_stream_order_by", limit: "_stream_limit", cursor: "_stream_cursor" };

const variable = (name: string) => ({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } }) as const;
const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const;

/**
 * Creates the stream of a subscription.
 * @returns undefined if its field is another one
 * @throws Refusal if the cursor or the batch size is not valid
 */
export function createStream(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  request: GraphqlRequest,
): Stream | undefined {
  const [root] = operation.selectionSet.selections;
  const table = root?.kind === Kind.FIELD ? /^(.+)_stream$/.exec(root.name.value)?.[1] : undefined;
  const field = root?.kind === Kind.FIELD && schema.getSubscriptionType()?.getFields()[root.name.value];
  if (!field || !table || !field.args.some(({ name }) => name === "batch_size")) return undefined;
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables);
  const values = getArgumentValues(field, root, coerced);
  const { batch_size: batchSize, where } = values as { batch_size: number; where?: object };
  if (batchSize < 1) throw new Refusal("validation-failed", "batch_size must be positive.");
  const { column, ordering, initialValue } = readCursor(values.cursor);
  let cursor: unknown = initialValue;

  const responseName = (root.alias ?? root.name).value;
  const query = streamQuery(document, operation, root, table, column);
  const rowType = getNamedType(field.type);
  if (!isObjectType(rowType)) return undefined;
  const used = usedVariables(root, document);
  const own = Object.fromEntries(Object.entries(request.variables).filter(([name]) => used.has(name)));
  return {
    next: () => ({
      query,
      operationName: undefined,
      variables: {
        ...own,
        [added.where]: {
          _and: [...(where ? [where] : []), { [column]: { [ordering === "DESC" ? "_lt" : "_gt"]: cursor } }],
        },
        [added.orderBy]: [{ [column]: ordering === "DESC" ? "desc" : "asc" }],
        [added.limit]: batchSize,
      },
    }),
    take(result) {
      const rows = (result.data?.[responseName] ?? []) as Row[];
      if (result.errors || rows.length === 0) return { result: result.errors ? result : undefined, isFull: false };
      cursor = rows.at(-1)?.[added.cursor];
      const withoutCursor = rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => name !== added.cursor)),
      );
      return { result: { data: { [responseName]: withoutCursor } }, isFull: rows.length === batchSize };
    },
  };
}

function readCursor(cursor: unknown) {
  const cursors = (cursor as ({ initial_value: Row; ordering?: string | null } | null)[]).filter(
    (each) => each !== null,
  );
  const [first] = cursors;
  const [[column, initialValue] = [], ...others] = Object.entries(first?.initial_value ?? {});
  if (!first || cursors.length > 1 || column === undefined || others.length > 0 || initialValue === null)
    throw new Refusal(
      "validation-failed",
      "cursor must hold one object, and its initial_value one column with a value.",
    );
  return { column, initialValue, ordering: first.ordering ?? "ASC" };
}

const usedVariables = (root: FieldNode, document: DocumentNode): Set<string> => {
  const names = new Set<string>();
  const collect = { [Kind.VARIABLE]: (node: { name: { value: string } }) => void names.add(node.name.value) };
  if (root.selectionSet) visit(root.selectionSet, collect);
  for (const fragment of fragmentsOf(document).values()) visit(fragment, collect);
  return names;
};

/** The query of a batch: the list of the table, with the same selection and the column of the cursor. */
function streamQuery(
  document: DocumentNode,
  { variableDefinitions = [], directives = [] }: OperationDefinitionNode,
  root: FieldNode,
  table: string,
  column: string,
): string {
  const used = usedVariables(root, document);
  const define = (name: string, type: string): VariableDefinitionNode => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: variable(name),
    type: parseType(type),
  });
  const argument = (name: string, value: string) =>
    ({ kind: Kind.ARGUMENT, name: nameNode(name), value: variable(value) }) as const;
  const field: FieldNode = {
    ...root,
    name: nameNode(table),
    alias: root.alias ?? root.name,
    arguments: [argument("where", added.where), argument("order_by", added.orderBy), argument("limit", added.limit)],
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [
        ...(root.selectionSet?.selections ?? []),
        { kind: Kind.FIELD, name: nameNode(column), alias: nameNode(added.cursor) },
      ],
    },
  };
  const query: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    directives,
    variableDefinitions: [
      ...variableDefinitions.filter(({ variable: { name } }) => used.has(name.value)),
      define(added.where, `${table}_bool_exp`),
      define(added.orderBy, `[${table}_order_by!]`),
      define(added.limit, "Int"),
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
  };
  const fragments = [...fragmentsOf(document).values()];
  return stripIgnoredCharacters(print({ kind: Kind.DOCUMENT, definitions: [query, ...fragments] }));
}
