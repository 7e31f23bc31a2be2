import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "postgraphile/graphql";
import { Refusal } from "./refusal.ts";
import { countArguments } from "./argument_count.ts";
import { fragmentsOf, type Fragments } from "./fragments.ts";
import * as limits from "./limits.ts";

export interface DocumentSize {
  fields: number;
  objectFields: number;
  argumentNodes: number;
  /** Of _in and _nin, which do not count as nodes. */
  listValues: number;
  depth: number;
  /** Lists of introspection inside such lists. */
  listings: number;
}

/**
 * Bounds what a document costs to validate and to plan, by its syntax alone: it runs before both.
 * @throws Refusal (limit-exceeded) that names the bound
 */
export function checkDocumentSize(document: DocumentNode, operation: OperationDefinitionNode): DocumentSize {
  const fragments = fragmentsOf(document);
  if (countRootFields(operation.selectionSet, fragments) > limits.maxRootFields)
    throw exceeded(`The document has more than ${limits.maxRootFields} root fields.`);
  checkDefinitions(document);
  const size = measure(fragments)(operation.selectionSet);
  if (size.depth > limits.maxDepth)
    throw exceeded(`The document is more than ${limits.maxDepth} fields deep.`);
  if (size.fields > limits.maxFields)
    throw exceeded(`The document has more than ${limits.maxFields} fields.`);
  if (size.objectFields > limits.maxObjectFields) throw tooManyObjectFields;
  if (size.argumentNodes > limits.maxArgumentNodes)
    throw exceeded(`The arguments of the document hold more than ${limits.maxArgumentNodes} nodes.`);
  if (size.listValues > limits.maxListValues)
    throw exceeded(`The document holds more than ${limits.maxListValues} values of _in and _nin.`);
  return size;
}

/** Validation looks at every definition, the chosen operation or not, so all of them count here. */
function checkDefinitions({ definitions }: DocumentNode): void {
  if (definitions.length > limits.maxDefinitions)
    throw exceeded(`The document has more than ${limits.maxDefinitions} operations and fragments.`);
  let selections = 0;
  let objectFields = 0;
  const named = new Map<string, { count: number; nodes: number }>();
  const visit = (selection: SelectionNode): void => {
    selections++;
    if (selection.kind === Kind.FIELD) {
      if (selection.selectionSet) objectFields++;
      const name = (selection.alias ?? selection.name).value;
      const { count, nodes } = named.get(name) ?? { count: 0, nodes: 0 };
      const own = countArguments(selection);
      named.set(name, { count: count + 1, nodes: nodes + own.nodes + own.listValues });
    }
    if (selection.kind !== Kind.FRAGMENT_SPREAD) selection.selectionSet?.selections.forEach(visit);
  };
  for (const definition of definitions) {
    if ("selectionSet" in definition) definition.selectionSet.selections.forEach(visit);
    if (
      definition.kind === Kind.OPERATION_DEFINITION &&
      (definition.variableDefinitions?.length ?? 0) > limits.maxVariables
    )
      throw exceeded(`An operation has more than ${limits.maxVariables} variables.`);
  }
  if (selections > limits.maxFields) throw exceeded(`The document has more than ${limits.maxFields} fields.`);
  if (objectFields > limits.maxObjectFields) throw tooManyObjectFields;
  const repeated = sum([...named.values()].map(({ count, nodes }) => count * nodes));
  if (repeated > limits.maxRepeatedArguments)
    throw exceeded("The document repeats a field with long arguments too often: use variables or aliases.");
}

function countRootFields(root: SelectionSetNode, fragments: Fragments): number {
  const counts = new Map<string, number>();
  const count = (set: SelectionSetNode): number =>
    sum(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return 1;
        if (selection.kind === Kind.INLINE_FRAGMENT) return count(selection.selectionSet);
        return memoized(counts, fragments, selection.name.value, 0, count);
      }),
    );
  return count(root);
}

function measure(fragments: Fragments): (set: SelectionSetNode) => DocumentSize {
  const sizes = new Map<string, DocumentSize>();
  const ofSet = (set: SelectionSetNode): DocumentSize =>
    total(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return ofField(selection);
        if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet);
        return memoized(sizes, fragments, selection.name.value, nothing, ofSet);
      }),
    );
  const ofField = (field: FieldNode): DocumentSize => {
    const { nodes, listValues } = countArguments(field);
    if (!field.selectionSet) return { ...nothing, fields: 1, depth: 1, argumentNodes: nodes, listValues };
    const name = field.name.value;
    const below = ofSet(field.selectionSet);
    const introspects = name === "__schema" || name === "__type";
    if (introspects) checkIntrospection(below);
    return {
      fields: below.fields + 1,
      objectFields: introspects ? 1 : below.objectFields + 1,
      argumentNodes: below.argumentNodes + nodes,
      listValues: below.listValues + listValues,
      depth: introspects ? 1 : below.depth + 1,
      listings: below.listings + (introspectionLists.has(name) ? 1 : 0),
    };
  };
  return ofSet;
}

/** Lists of a type in introspection. Inside each other they multiply; the usual clients never nest them. */
const introspectionLists = new Set(["fields", "inputFields", "enumValues", "interfaces", "possibleTypes"]);

function checkIntrospection({ depth, listings }: DocumentSize): void {
  if (depth >= limits.maxIntrospectionDepth)
    throw exceeded(`Introspection may be at most ${limits.maxIntrospectionDepth} fields deep.`);
  if (listings > 1) throw exceeded("Introspection must not list the fields of the types of fields.");
}

/** A fragment is measured once, however often it is spread: fragments may spread each other exponentially often. */
function memoized<T>(
  known: Map<string, T>,
  fragments: Fragments,
  name: string,
  zero: T,
  of: (set: SelectionSetNode) => T,
): T {
  const found = known.get(name);
  const fragment = fragments.get(name);
  if (found !== undefined || !fragment) return found ?? zero;
  // A fragment that spreads itself ends here; validation refuses it.
  known.set(name, zero);
  const value = of(fragment.selectionSet);
  known.set(name, value);
  return value;
}

const exceeded = (message: string): Refusal => new Refusal("limit-exceeded", message);
const tooManyObjectFields = exceeded(
  `The document has more than ${limits.maxObjectFields} fields with a selection set.`,
);

const nothing: DocumentSize = {
  fields: 0,
  objectFields: 0,
  argumentNodes: 0,
  listValues: 0,
  depth: 0,
  listings: 0,
};

const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

const total = (sizes: DocumentSize[]): DocumentSize => ({
  fields: sum(sizes.map(({ fields }) => fields)),
  objectFields: sum(sizes.map(({ objectFields }) => objectFields)),
  argumentNodes: sum(sizes.map((size) => size.argumentNodes)),
  listValues: sum(sizes.map((size) => size.listValues)),
  depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
  listings: Math.max(0, ...sizes.map(({ listings }) => listings)),
});
