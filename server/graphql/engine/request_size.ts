import {
  getArgumentValues,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "postgraphile/graphql";
import { ArgumentSize } from "./argument_size.ts";
import { Refusal } from "./refusal.ts";
import type { Fragments } from "./fragments.ts";
import { defaultLimit, maxLimit, type ListBounds } from "./limits.ts";

export interface RequestSize {
  /** Values that the answer could hold: rows × fields. */
  cells: number;
  /** Those of them for each row that a mutation's field writes. */
  cellsPerWrittenRow: number;
  /** Of all arguments. */
  nodes: number;
  characters: number;
  relationConditions: number;
}

/** Where a selection set stands. */
interface Place {
  /** Rows of this selection set at most. */
  rows: number;
  /** Rows of a list below, by the `limit` of the field around it. */
  page?: number | undefined;
  /** Below the list of rows that a mutation wrote. */
  isWritten: boolean;
}

type Values = Record<string, unknown>;
type Field = GraphQLField<unknown, unknown>;

/**
 * Bounds what a valid operation makes the database do: its coerced arguments, and the values (rows × fields) that its
 * answer could hold.
 * @param variables coerced
 * @throws Refusal (limit-exceeded or validation-failed) that names the bound
 * @throws GraphQLError for an argument that cannot be coerced
 */
export function checkRequestSize(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: Values,
  { maxCells, singleRows, writtenRows }: ListBounds,
): RequestSize {
  const sizes = new ArgumentSize();
  let cells = 0;
  let cellsPerWrittenRow = 0;
  const addCells = ({ rows, isWritten }: Place) => {
    cells += rows;
    if (isWritten) cellsPerWrittenRow += rows / writtenRows;
  };

  const addSet = (set: SelectionSetNode, type: GraphQLObjectType, place: Place): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) addField(selection, type, place);
      else if (selection.kind === Kind.INLINE_FRAGMENT) addSet(selection.selectionSet, type, place);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment) addSet(fragment.selectionSet, type, place);
      }
    }
  };

  const addField = (node: FieldNode, type: GraphQLObjectType, place: Place): void => {
    const field = type.getFields()[node.name.value];
    // __schema and __type have bounds of their own.
    if (!field) {
      if (!node.selectionSet) addCells(place);
      return;
    }
    const values = getArgumentValues(field, node, variables);
    for (const argument of field.args) sizes.add(values[argument.name], argument.type);
    const below = getNamedType(field.type);
    const single = singleRows.has(below.name) && !node.arguments?.some(({ name }) => name.value === "limit");
    const limit = single ? 1 : limitOf(field, values);
    checkOffset(values.offset);
    const { rows, page, isWritten } = place;
    if (!node.selectionSet || !isObjectType(below)) addCells(place);
    else if (isListType(getNullableType(field.type))) {
      const length = limit ?? page;
      addSet(node.selectionSet, below, {
        rows: rows * (length ?? writtenRows),
        isWritten: isWritten || length === undefined,
      });
    } else addSet(node.selectionSet, below, { rows, page: limit, isWritten });
  };

  const rootType = schema.getRootType(operation.operation);
  if (rootType) addSet(operation.selectionSet, rootType, { rows: 1, isWritten: false });
  if (cells > maxCells)
    throw new Refusal(
      "limit-exceeded",
      `The answer could hold ${cells} values (rows × fields), and ${maxCells} are allowed: give lists a smaller limit, or select fewer fields.`,
    );
  const { nodes, characters, relationConditions } = sizes;
  return { cells, cellsPerWrittenRow, nodes, characters, relationConditions };
}

/** The rows that a list argument allows; undefined for a field without such an argument. */
function limitOf({ args }: Field, { limit }: Values): number | undefined {
  if (!args.some(({ name }) => name === "limit")) return undefined;
  if (typeof limit !== "number") return defaultLimit;
  if (limit < 0) throw new Refusal("validation-failed", "limit must not be negative.");
  if (limit > maxLimit) throw new Refusal("limit-exceeded", `limit must be at most ${maxLimit}.`);
  return limit;
}

function checkOffset(offset: unknown): void {
  if (typeof offset === "number" && offset < 0)
    throw new Refusal("validation-failed", "offset must not be negative.");
}
