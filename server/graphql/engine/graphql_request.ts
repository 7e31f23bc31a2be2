import type { OperationDefinitionNode } from "postgraphile/graphql";

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
  /** Called with the operation once it is parsed, before it is checked: for the request log. */
  onOperation?: (operation: OperationDefinitionNode) => void;
}
