import type { OperationDefinitionNode } from "postgraphile/graphql";
import type { Change } from "../execution/changes.ts";

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
  /** Whether it came by GET, which must not change anything. */
  onlyReads?: boolean;
  /** Called with the operation once it is parsed, before it is checked: for the request log. */
  onOperation?: (operation: OperationDefinitionNode) => void;
  /** Called with each change that an admin's mutation has committed: for the log. */
  onChange?: (change: Change) => void;
}
