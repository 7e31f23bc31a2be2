import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "postgraphile/graphql";
import { Refusal } from "./errors.ts";

export const defaultLimit = 100;
export const maxLimit = 1000;

const maxRootFields = 50;
const maxDepth = 12;
/** The introspection query of the usual clients is 15 deep. */
const maxIntrospectionDepth = 20;
/** Fields of the whole document, those of a fragment counted wherever it is spread. */
const maxFields = 500;
/** Rows that the lists may hold if all are full: a list of 1000 each with a list of 100 may still be asked for. */
const maxRows = 150_000;

type Variables = Record<string, unknown>;

interface Size {
  fields: number;
  depth: number;
  rows: number;
}

/**
 * What a document may cost, decided before it is validated, planned or executed. A fragment is measured once, however
 * often it is spread: fragments that spread each other would else make this the bomb.
 */
export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const rootType = schema.getRootType(operation.operation) ?? undefined;
  const sizeOf = measure(schema, fragments, variables);

  const rootFields = countRootFields(operation.selectionSet, fragments);
  if (rootFields > maxRootFields)
    throw new Refusal("limit-exceeded", `The document has more than ${maxRootFields} root fields.`);
  const { fields, depth, rows } = sizeOf(operation.selectionSet, rootType);
  if (depth > maxDepth)
    throw new Refusal("limit-exceeded", `The document is more than ${maxDepth} fields deep.`);
  if (fields > maxFields)
    throw new Refusal("limit-exceeded", `The document has more than ${maxFields} fields.`);
  if (rows > maxRows)
    throw new Refusal("limit-exceeded", `The lists inside lists could hold more than ${maxRows} rows.`);
}

function countRootFields(root: SelectionSetNode, fragments: Map<string, FragmentDefinitionNode>): number {
  const seen = new Map<string, number>();
  const count = (set: SelectionSetNode): number =>
    sum(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return 1;
        if (selection.kind === Kind.INLINE_FRAGMENT) return count(selection.selectionSet);
        const name = selection.name.value;
        const fragment = fragments.get(name);
        if (!fragment) return 0;
        let counted = seen.get(name);
        if (counted === undefined) {
          // A fragment that spreads itself is refused by validation.
          seen.set(name, 0);
          seen.set(name, (counted = count(fragment.selectionSet)));
        }
        return counted;
      }),
    );
  return count(root);
}

function measure(
  schema: GraphQLSchema,
  fragments: Map<string, FragmentDefinitionNode>,
  variables: Variables,
) {
  const seen = new Map<string, Size>();

  const ofSet = (set: SelectionSetNode, type: GraphQLObjectType | undefined): Size =>
    total(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return ofField(selection, type);
        if (selection.kind === Kind.INLINE_FRAGMENT)
          return ofSet(selection.selectionSet, conditionType(selection.typeCondition?.name.value) ?? type);
        return ofFragment(selection.name.value);
      }),
    );

  const ofFragment = (name: string): Size => {
    const fragment = fragments.get(name);
    const known = seen.get(name);
    if (!fragment || known) return known ?? nothing;
    seen.set(name, nothing);
    const size = ofSet(fragment.selectionSet, conditionType(fragment.typeCondition.name.value));
    seen.set(name, size);
    return size;
  };

  const ofField = (field: FieldNode, type: GraphQLObjectType | undefined): Size => {
    checkPaging(field, variables);
    if (!field.selectionSet) return { fields: 1, depth: 1, rows: 0 };
    const name = field.name.value;
    const definition = type?.getFields()[name];
    const below = definition && getNamedType(definition.type);
    const size = ofSet(field.selectionSet, isObjectType(below) ? below : undefined);
    if (name === "__schema" || name === "__type") {
      if (size.depth >= maxIntrospectionDepth)
        throw new Refusal(
          "limit-exceeded",
          `Introspection may be at most ${maxIntrospectionDepth} fields deep.`,
        );
      return { fields: size.fields + 1, depth: 1, rows: 0 };
    }
    const paged = definition?.args.some((argument) => argument.name === "limit") === true;
    const isList = definition !== undefined && isListType(getNullableType(definition.type));
    const times = paged ? limitOf(field, variables) : 1;
    return {
      fields: size.fields + 1,
      depth: size.depth + 1,
      rows: times * ((paged || isList ? 1 : 0) + size.rows),
    };
  };

  const conditionType = (name: string | undefined): GraphQLObjectType | undefined => {
    const type = name === undefined ? undefined : schema.getType(name);
    return isObjectType(type) ? type : undefined;
  };

  return ofSet;
}

const limitOf = (field: FieldNode, variables: Variables): number => {
  const given = argument(field, "limit", variables);
  return typeof given === "number" ? given : defaultLimit;
};

/** limit and offset in this field: what the database would only refuse in its own words, or not at all. */
function checkPaging(field: FieldNode, variables: Variables): void {
  for (const name of ["limit", "offset"]) {
    const given = argument(field, name, variables);
    if (given === undefined) continue;
    if (typeof given !== "number" || !Number.isInteger(given)) {
      if (given === null && name === "offset") continue;
      throw new Refusal("validation-failed", `${name} must be a whole number.`);
    }
    if (given < 0) throw new Refusal("validation-failed", `${name} must not be negative.`);
    if (name === "limit" && given > maxLimit)
      throw new Refusal("limit-exceeded", `limit must be at most ${maxLimit}.`);
  }
}

function argument(field: FieldNode, name: string, variables: Variables): unknown {
  const given = field.arguments?.find((candidate) => candidate.name.value === name)?.value;
  return given && valueOf(given, variables);
}

function valueOf(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.VARIABLE) return variables[node.name.value];
  if (node.kind === Kind.INT) return Number(node.value);
  if (node.kind === Kind.NULL) return null;
  return node;
}

const nothing: Size = { fields: 0, depth: 0, rows: 0 };

const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

const total = (sizes: Size[]): Size => ({
  fields: sum(sizes.map(({ fields }) => fields)),
  depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
  rows: sum(sizes.map(({ rows }) => rows)),
});
