import type { OperationDefinitionNode } from "postgraphile/graphql";

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
  /** Told of the operation before anything of it is checked. */
  onOperation?: (operation: OperationDefinitionNode) => void;
}
