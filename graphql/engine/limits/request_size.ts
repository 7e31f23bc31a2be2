import {
  getArgumentValues,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "postgraphile/graphql";
import { ArgumentSize } from "./argument_size.ts";
import { limitExceeded, Refusal } from "../../refusal.ts";
import type { Fragments } from "../documents/fragments.ts";
import { defaultLimit, maxLimit, type ListLimits } from "../../request_limits.ts";

export interface RequestSize {
  /** Cells are the values that the response could hold: rows × fields. */
  cells: number;
  /** Cells for each row that a mutation writes. */
  cellsPerWrittenRow: number;
  /** The sizes of all arguments together. */
  nodes: number;
  characters: number;
  relationConditions: number;
  patterns: number;
}

/** How the fields around a selection set affect its size. */
interface Context {
  /** How many rows the selection set could have. */
  rows: number;
  /**
   * The `limit` of the enclosing field, if it applies to a list inside: user_session_aggregate(limit: …) { nodes { … }
   * }.
   */
  innerLimit?: number | undefined;
  /** Whether a list of written rows encloses the selection set. */
  isWritten: boolean;
}

type Values = Record<string, unknown>;

/**
 * Limits what a valid operation makes the database do: its coerced arguments, and the cells of its response.
 * @param variables the coerced variables
 * @throws Refusal (limit-exceeded or validation-failed) that names the limit
 * @throws GraphQLError for an argument that cannot be coerced
 */
export function checkRequestSize(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: Values,
  { maxCells, singleRowTypes, assumedWrittenRows }: ListLimits,
): RequestSize {
  const argumentSize = new ArgumentSize();
  let cells = 0;
  let cellsPerWrittenRow = 0;
  const addCells = ({ rows, isWritten }: Context) => {
    cells += rows;
    if (isWritten) cellsPerWrittenRow += rows / assumedWrittenRows;
  };

  const addSelectionSet = (set: SelectionSetNode, type: GraphQLObjectType, context: Context): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) addField(selection, type, context);
      else if (selection.kind === Kind.INLINE_FRAGMENT) addSelectionSet(selection.selectionSet, type, context);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment) addSelectionSet(fragment.selectionSet, type, context);
      }
    }
  };

  const addField = (node: FieldNode, type: GraphQLObjectType, context: Context): void => {
    const field = type.getFields()[node.name.value];
    // __typename. checkDocumentSize has limited __schema and __type.
    if (!field) {
      if (!node.selectionSet) addCells(context);
      return;
    }
    const values = getArgumentValues(field, node, variables);
    for (const argument of field.args) argumentSize.add(values[argument.name], argument.type);
    const resultType = getNamedType(field.type);
    const hasLimit = node.arguments?.some(({ name }) => name.value === "limit");
    const limit = singleRowTypes.has(resultType.name) && !hasLimit ? 1 : limitOf(field, values);
    checkOffset(values.offset);
    const { rows, innerLimit, isWritten } = context;
    if (!node.selectionSet || !isObjectType(resultType)) addCells(context);
    else if (isListType(getNullableType(field.type))) {
      // update_X_many has one list for each update.
      const { updates } = values as { updates?: unknown };
      const listLimit = limit ?? innerLimit ?? (Array.isArray(updates) ? updates.length : undefined);
      addSelectionSet(node.selectionSet, resultType, {
        rows: rows * (listLimit ?? assumedWrittenRows),
        isWritten: isWritten || listLimit === undefined,
      });
    } else addSelectionSet(node.selectionSet, resultType, { rows, innerLimit: limit, isWritten });
  };

  const rootType = schema.getRootType(operation.operation);
  if (rootType) addSelectionSet(operation.selectionSet, rootType, { rows: 1, isWritten: false });
  if (cells > maxCells)
    throw limitExceeded(
      "maxCells",
      `The response could hold ${cells} values (rows × fields), and the limit is ${maxCells}: give lists a smaller limit, or select fewer fields.`,
    );
  const { nodes, characters, relationConditions, patterns } = argumentSize;
  return { cells, cellsPerWrittenRow, nodes, characters, relationConditions, patterns };
}

/** @returns the coerced `limit` or its default; undefined if the field has no such argument */
function limitOf(
  { args }: { args: readonly { name: string }[] },
  { limit, batch_size: batchSize }: Values,
): number | undefined {
  if (typeof batchSize === "number") return checkLimit(batchSize, "batch_size");
  if (!args.some(({ name }) => name === "limit")) return undefined;
  if (typeof limit !== "number") return defaultLimit;
  return checkLimit(limit, "limit");
}

function checkLimit(limit: number, name: string): number {
  if (limit < 0) throw new Refusal("validation-failed", `${name} must not be negative.`);
  if (limit > maxLimit) throw limitExceeded("maxLimit", `${name} must be at most ${maxLimit}.`);
  return limit;
}

function checkOffset(offset: unknown): void {
  if (typeof offset === "number" && offset < 0) throw new Refusal("validation-failed", "offset must not be negative.");
}
