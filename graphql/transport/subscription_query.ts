import {
  Kind,
  OperationTypeNode,
  print,
  separateOperations,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type OperationDefinitionNode,
} from "postgraphile/graphql";

const queries = new WeakMap<OperationDefinitionNode, string>();

/**
 * The text of the query of a subscription's fields, which is what the server executes. It has the subscription's
 * fragments, and none of the document's other operations: a mutation would not be valid in it. Made once per cached
 * document, because it takes a millisecond for a long one.
 */
export function subscriptionQuery(document: DocumentNode, operation: OperationDefinitionNode): string {
  let query = queries.get(operation);
  if (query === undefined) queries.set(operation, (query = printQuery(document, operation)));
  return query;
}

function printQuery(document: DocumentNode, operation: OperationDefinitionNode): string {
  const own = separateOperations(document)[operation.name?.value ?? ""];
  const query = visit(own ?? document, {
    [Kind.OPERATION_DEFINITION]: (node) => ({ ...node, operation: OperationTypeNode.QUERY }),
    // A fragment of root fields. No other type has these fields, and no variable has this type.
    [Kind.NAMED_TYPE]: (node) =>
      node.name.value === "subscription_root" ? { ...node, name: { ...node.name, value: "query_root" } } : undefined,
  });
  // Otherwise the indentation could make it too long to be cached.
  return stripIgnoredCharacters(print(query));
}
