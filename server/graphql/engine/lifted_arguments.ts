import {
  Kind,
  parseType,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "postgraphile/graphql";
import type { Fragments } from "./fragments.ts";

interface Lifted {
  name: string;
  value: ValueNode;
  type: GraphQLInputType;
}

export interface LiftedOperation {
  /** The operation and the fragments, with a variable for each list or object among the arguments. */
  document: DocumentNode;
  /** The values of those variables. `variables`: of the request, coerced. */
  values: (variables: Record<string, unknown>) => Record<string, unknown>;
}

const liftedOperations = new WeakMap<OperationDefinitionNode, LiftedOperation>();

/**
 * A valid operation with variables in place of literal lists and objects. Grafast plans a step for every node of a
 * literal, so that a long one blocks the event loop, and fails on a list that holds one variable twice. A variable is
 * one step, whatever its value.
 */
export function liftArguments(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): LiftedOperation {
  let result = liftedOperations.get(operation);
  if (!result) liftedOperations.set(operation, (result = lift(schema, operation, fragments)));
  return result;
}

function lift(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): LiftedOperation {
  const lifted: Lifted[] = [];
  const prefix = unusedPrefix(operation);
  const typeInfo = new TypeInfo(schema);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments.values()] };
  const replaced = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      [Kind.ARGUMENT](node) {
        const argument = typeInfo.getArgument();
        if (!argument || (node.value.kind !== Kind.LIST && node.value.kind !== Kind.OBJECT)) return undefined;
        const name = `${prefix}${lifted.length}`;
        lifted.push({ name, value: node.value, type: argument.type });
        return { ...node, value: variable(name) };
      },
    }),
  );
  return {
    document: { ...replaced, definitions: replaced.definitions.map(withDefinitions(lifted)) },
    values: (variables) =>
      Object.fromEntries(lifted.map(({ name, value, type }) => [name, valueFromAST(value, type, variables)])),
  };
}

const withDefinitions =
  (lifted: Lifted[]) =>
  (definition: DocumentNode["definitions"][number]): DocumentNode["definitions"][number] => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return definition;
    const added = lifted.map(({ name, type }): VariableDefinitionNode => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: variable(name),
      type: parseType(String(type)),
    }));
    return { ...definition, variableDefinitions: [...(definition.variableDefinitions ?? []), ...added] };
  };

const variable = (name: string) => ({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } }) as const;

/** A prefix that no variable of the operation begins with. */
function unusedPrefix({ variableDefinitions = [] }: OperationDefinitionNode): string {
  let prefix = "lifted_";
  while (variableDefinitions.some(({ variable: { name } }) => name.value.startsWith(prefix))) prefix += "_";
  return prefix;
}
