import { getOperationAST, GraphQLError, OperationTypeNode, type ExecutionArgs } from "postgraphile/graphql";
import type { Context, SubscribePayload } from "graphql-ws";
import type { IncomingHttpHeaders } from "node:http";
import type { Engine, GraphqlRequest } from "./execute.ts";

/** What the connection_init payload may name; nothing else of it is passed on. */
const credentials = ["authorization", "x-admin-secret", "x-hasura-admin-secret"];

/** {headers: {Authorization}} as Hasura's clients send it, or {Authorization}; names in any case. */
export function headersOf(params: Context["connectionParams"]): IncomingHttpHeaders {
  const given = { ...params, ...(params?.headers as Record<string, unknown> | undefined) };
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    lower.filter(([name, value]) => credentials.includes(name) && typeof value === "string"),
  ) as IncomingHttpHeaders;
}

/** What graphql-ws asks for, and the request as it came, which our own executor takes. */
export interface Operation extends ExecutionArgs {
  request: GraphqlRequest;
}

/** The operation that a socket asks for, or what is wrong with it. */
export function operationOf(
  { documents, audience }: Engine,
  payload: SubscribePayload,
): Operation | GraphQLError[] {
  const { query, variables, operationName } = payload;
  const fault = (message: string) => new GraphQLError(message, { extensions: { code: "validation-failed" } });
  try {
    const document = documents.parse(query);
    const operation = getOperationAST(document, operationName);
    if (!operation) return [fault("There is no such operation in the document.")];
    const errors = documents.validate(document);
    if (errors.length > 0) return errors.map(({ message }) => fault(message));
    if (
      operation.operation === OperationTypeNode.SUBSCRIPTION &&
      operation.selectionSet.selections.length !== 1
    ) {
      return [fault("A subscription has one root field.")];
    }
    const request = { query, variables: variables ?? {}, operationName: operationName ?? undefined };
    return {
      schema: audience.schema,
      document,
      ...(operationName != null && { operationName }),
      request,
    };
  } catch (error) {
    return [fault((error as Error).message)];
  }
}
