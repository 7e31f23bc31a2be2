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
import { isOrderBy, splitColumns, splitLiteral } from "./order_of_columns.ts";

/** An argument that a variable replaces. */
interface LiftedArgument {
  name: string;
  value: ValueNode;
  type: GraphQLInputType;
}

export interface LiftedOperation {
  /** The operation and the fragments, with a variable in place of each argument that is a literal list or object. */
  document: DocumentNode;
  /** The values of these variables. @param variables the coerced variables of the request */
  valuesOf: (variables: Record<string, unknown>) => Record<string, unknown>;
}

const liftedOperations = new WeakMap<OperationDefinitionNode, LiftedOperation>();

/**
 * Replaces literal lists and objects in the arguments of a valid operation with variables. Grafast plans a step for
 * each node of a literal, so a long one would block the event loop, and it fails on a list that holds the same variable
 * twice. A variable is one step, whatever its value.
 */
export function liftArguments(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): LiftedOperation {
  let lifted = liftedOperations.get(operation);
  if (!lifted) liftedOperations.set(operation, (lifted = createLiftedOperation(schema, operation, fragments)));
  return lifted;
}

function createLiftedOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): LiftedOperation {
  const lifted: LiftedArgument[] = [];
  const prefix = unusedPrefix(operation);
  const typeInfo = new TypeInfo(schema);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments.values()] };
  const withVariables = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      [Kind.ARGUMENT](node) {
        const argument = typeInfo.getArgument();
        if (!argument || (node.value.kind !== Kind.LIST && node.value.kind !== Kind.OBJECT)) return undefined;
        const name = `${prefix}${lifted.length}`;
        const value = isOrderBy(argument.type) ? splitLiteral(node.value) : node.value;
        lifted.push({ name, value, type: argument.type });
        return { ...node, value: variable(name) };
      },
    }),
  );
  return {
    document: {
      ...withVariables,
      definitions: withVariables.definitions.map(addVariableDefinitions(lifted)),
    },
    valuesOf: (variables) =>
      Object.fromEntries(
        lifted.map(({ name, value, type }) => {
          const coerced: unknown = valueFromAST(value, type, variables);
          // A variable in the list may be an object of several columns.
          return [name, isOrderBy(type) ? splitColumns(coerced) : coerced];
        }),
      ),
  };
}

const addVariableDefinitions =
  (lifted: LiftedArgument[]) =>
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

/** A prefix with which no variable of the operation starts. */
function unusedPrefix({ variableDefinitions = [] }: OperationDefinitionNode): string {
  let prefix = "lifted_";
  while (variableDefinitions.some(({ variable: { name } }) => name.value.startsWith(prefix))) prefix += "_";
  return prefix;
}
