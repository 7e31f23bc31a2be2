import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  typeFromAST,
  valueFromASTUntyped,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type ValueNode,
} from "postgraphile/graphql";

// graphql-js coerces an input object in the order of its type's fields. The columns of an order_by object sort in the
// order in which the client wrote them, so each of these objects becomes a list of objects with one column each before
// it is coerced.

type Values = Record<string, unknown>;

/** Whether a value of this type is an order_by argument, or an item of one. */
export const isOrderBy = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return isInputObjectType(named) && named.name.endsWith("_order_by");
};

/** Splits the objects of an order_by value. @param value a list, or one object in its place */
export function splitColumns(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap(splitItem);
}

/** {user: {phone: asc, email: asc}} becomes {user: {phone: asc}} and {user: {email: asc}}. */
const splitItem = (item: unknown): unknown[] =>
  isObject(item)
    ? Object.entries(item).flatMap(([column, order]) => splitItem(order).map((each) => ({ [column]: each })))
    : [item];

/** Splits the objects of a literal order_by value. */
export function splitLiteral(value: ValueNode): ValueNode {
  if (value.kind !== Kind.LIST && value.kind !== Kind.OBJECT) return value;
  const items = value.kind === Kind.LIST ? value.values : [value];
  return { kind: Kind.LIST, values: items.flatMap(splitLiteralItem) };
}

const splitLiteralItem = (item: ValueNode): ValueNode[] =>
  item.kind === Kind.OBJECT
    ? item.fields.flatMap((field) =>
        splitLiteralItem(field.value).map((value) => ({ ...item, fields: [{ ...field, value }] })),
      )
    : [item];

/** The variables of a request, with the lists of order_by objects split, defaults included. */
export function orderVariables(schema: GraphQLSchema, operation: OperationDefinitionNode, variables: Values): Values {
  const ordered = { ...variables };
  for (const { name, isList, defaultValue } of orderByVariables(schema, operation)) {
    const value = Object.hasOwn(variables, name) ? variables[name] : defaultValue && valueFromASTUntyped(defaultValue);
    if (value !== undefined) ordered[name] = isList ? splitColumns(value) : value;
  }
  return ordered;
}

/**
 * The coerced variables, with the columns of single order_by objects, which cannot be split, as the client wrote them.
 * @param ordered of orderVariables
 */
export function orderCoerced(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  coerced: Values,
  ordered: Values,
): Values {
  const result = { ...coerced };
  for (const { name, isList } of orderByVariables(schema, operation)) {
    const [value, written] = [coerced[name], ordered[name]];
    if (!isList) result[name] = inOrderOf(written, value);
  }
  return result;
}

const inOrderOf = (written: unknown, value: unknown): unknown =>
  isObject(value) && isObject(written)
    ? Object.fromEntries(Object.keys(written).map((column) => [column, inOrderOf(written[column], value[column])]))
    : value;

function orderByVariables(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
  return variableDefinitions.flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node as NamedTypeNode) as GraphQLInputType | undefined;
    if (!type || !isOrderBy(type)) return [];
    return [{ name: variable.name.value, isList: isListType(getNullableType(type)), defaultValue }];
  });
}

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
