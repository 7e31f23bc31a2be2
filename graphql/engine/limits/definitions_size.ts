import { Kind, type DocumentNode, type SelectionNode } from "postgraphile/graphql";
import { limitExceeded } from "../../refusal.ts";
import { countArguments } from "./argument_count.ts";
import * as limits from "../../request_limits.ts";

export const tooManyObjectFields = limitExceeded(
  "maxObjectFields",
  `The document has more than ${limits.maxObjectFields} fields with a selection set.`,
);

/**
 * Limits what all definitions of a document cost to validate: validation looks at every one, not only at the operation
 * that is executed.
 * @throws Refusal (limit-exceeded) that names the limit
 */
export function checkDefinitions({ definitions }: DocumentNode): void {
  if (definitions.length > limits.maxDefinitions)
    throw limitExceeded(
      "maxDefinitions",
      `The document has more than ${limits.maxDefinitions} operations and fragments.`,
    );
  let selections = 0;
  let objectFields = 0;
  const countsByName = new Map<string, { fields: number; argumentNodes: number }>();
  const visit = (selection: SelectionNode): void => {
    selections++;
    if (selection.kind === Kind.FIELD) {
      if (selection.selectionSet) objectFields++;
      const name = (selection.alias ?? selection.name).value;
      const { fields, argumentNodes } = countsByName.get(name) ?? { fields: 0, argumentNodes: 0 };
      const { nodes, listValues } = countArguments(selection);
      countsByName.set(name, { fields: fields + 1, argumentNodes: argumentNodes + nodes + listValues });
    }
    if (selection.kind !== Kind.FRAGMENT_SPREAD) selection.selectionSet?.selections.forEach(visit);
  };
  for (const definition of definitions) {
    if ("selectionSet" in definition) definition.selectionSet.selections.forEach(visit);
    if (
      definition.kind === Kind.OPERATION_DEFINITION &&
      (definition.variableDefinitions?.length ?? 0) > limits.maxVariables
    )
      throw limitExceeded("maxVariables", `An operation has more than ${limits.maxVariables} variables.`);
  }
  if (selections > limits.maxFields)
    throw limitExceeded("maxFields", `The document has more than ${limits.maxFields} fields.`);
  if (objectFields > limits.maxObjectFields) throw tooManyObjectFields;
  let repeatedArguments = 0;
  for (const { fields, argumentNodes } of countsByName.values()) repeatedArguments += fields * argumentNodes;
  if (repeatedArguments > limits.maxRepeatedArguments)
    throw limitExceeded(
      "maxRepeatedArguments",
      "The document repeats a field with long arguments too often: use variables or aliases.",
    );
}
