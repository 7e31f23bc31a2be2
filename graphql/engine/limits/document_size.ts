import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "postgraphile/graphql";
import { limitExceeded } from "../../refusal.ts";
import { countArguments } from "./argument_count.ts";
import { checkDefinitions, tooManyObjectFields } from "./definitions_size.ts";
import { fragmentsOf, type Fragments } from "../documents/fragments.ts";
import * as limits from "../../request_limits.ts";

/** The size of an operation. A fragment counts at each spread. */
export interface DocumentSize {
  fields: number;
  /** Fields with a selection set. */
  objectFields: number;
  argumentNodes: number;
  /** Values of `_in` and `_nin`, which do not count as nodes. */
  listValues: number;
  depth: number;
  /** Introspection fields that list the members of a type. */
  introspectionLists: number;
}

/**
 * Limits what an operation costs to validate and to plan. Runs before both, so it looks at the syntax only.
 * @throws Refusal (limit-exceeded) that names the limit
 */
export function checkDocumentSize(document: DocumentNode, operation: OperationDefinitionNode): DocumentSize {
  const fragments = fragmentsOf(document);
  if (countRootFields(operation.selectionSet, fragments) > limits.maxRootFields)
    throw limitExceeded("maxRootFields", `The document has more than ${limits.maxRootFields} root fields.`);
  checkDefinitions(document);
  const size = measureSelectionSet(operation.selectionSet, fragments);
  if (size.depth > limits.maxDepth)
    throw limitExceeded("maxDepth", `The document is more than ${limits.maxDepth} fields deep.`);
  if (size.fields > limits.maxFields)
    throw limitExceeded("maxFields", `The document has more than ${limits.maxFields} fields.`);
  if (size.objectFields > limits.maxObjectFields) throw tooManyObjectFields;
  if (size.argumentNodes > limits.maxArgumentNodes)
    throw limitExceeded(
      "maxArgumentNodes",
      `The arguments of the document hold more than ${limits.maxArgumentNodes} nodes.`,
    );
  if (size.listValues > limits.maxListValues)
    throw limitExceeded(
      "maxListValues",
      `The document holds more than ${limits.maxListValues} values of _in and _nin.`,
    );
  return size;
}

function countRootFields(root: SelectionSetNode, fragments: Fragments): number {
  const counts = new Map<string, number>();
  const count = (set: SelectionSetNode): number =>
    sum(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return 1;
        if (selection.kind === Kind.INLINE_FRAGMENT) return count(selection.selectionSet);
        return measureFragment(counts, fragments, selection.name.value, 0, count);
      }),
    );
  return count(root);
}

function measureSelectionSet(root: SelectionSetNode, fragments: Fragments): DocumentSize {
  const sizes = new Map<string, DocumentSize>();
  const measureSet = (set: SelectionSetNode): DocumentSize =>
    sumSizes(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return measureField(selection);
        if (selection.kind === Kind.INLINE_FRAGMENT) return measureSet(selection.selectionSet);
        return measureFragment(sizes, fragments, selection.name.value, emptySize, measureSet);
      }),
    );
  const measureField = (field: FieldNode): DocumentSize => {
    const { nodes, listValues } = countArguments(field);
    if (!field.selectionSet) return { ...emptySize, fields: 1, depth: 1, argumentNodes: nodes, listValues };
    const name = field.name.value;
    const children = measureSet(field.selectionSet);
    const isIntrospection = name === "__schema" || name === "__type";
    if (isIntrospection) checkIntrospection(children);
    return {
      fields: children.fields + 1,
      objectFields: isIntrospection ? 1 : children.objectFields + 1,
      argumentNodes: children.argumentNodes + nodes,
      listValues: children.listValues + listValues,
      depth: isIntrospection ? 1 : children.depth + 1,
      introspectionLists: children.introspectionLists + (introspectionLists.has(name) ? 1 : 0),
    };
  };
  return measureSet(root);
}

/**
 * Nested in each other, these lists multiply the response. The introspection queries of common clients never nest them.
 */
const introspectionLists = new Set(["fields", "inputFields", "enumValues", "interfaces", "possibleTypes"]);

function checkIntrospection(size: DocumentSize): void {
  if (size.depth >= limits.maxIntrospectionDepth)
    throw limitExceeded(
      "maxIntrospectionDepth",
      `Introspection may be at most ${limits.maxIntrospectionDepth} fields deep.`,
    );
  if (size.introspectionLists > 1)
    throw limitExceeded("introspectionLists", "Introspection must not list the fields of the types of fields.");
}

/** Measures each fragment once: fragments that spread each other repeat exponentially often. */
function measureFragment<T>(
  measurements: Map<string, T>,
  fragments: Fragments,
  name: string,
  empty: T,
  measure: (set: SelectionSetNode) => T,
): T {
  const measured = measurements.get(name);
  const fragment = fragments.get(name);
  if (measured !== undefined || !fragment) return measured ?? empty;
  // Ends the recursion of a fragment that spreads itself, which validation refuses.
  measurements.set(name, empty);
  const measurement = measure(fragment.selectionSet);
  measurements.set(name, measurement);
  return measurement;
}

const emptySize: DocumentSize = {
  fields: 0,
  objectFields: 0,
  argumentNodes: 0,
  listValues: 0,
  depth: 0,
  introspectionLists: 0,
};

const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

const sumSizes = (sizes: DocumentSize[]): DocumentSize => ({
  fields: sum(sizes.map((size) => size.fields)),
  objectFields: sum(sizes.map((size) => size.objectFields)),
  argumentNodes: sum(sizes.map((size) => size.argumentNodes)),
  listValues: sum(sizes.map((size) => size.listValues)),
  depth: Math.max(0, ...sizes.map((size) => size.depth)),
  introspectionLists: Math.max(0, ...sizes.map((size) => size.introspectionLists)),
});
