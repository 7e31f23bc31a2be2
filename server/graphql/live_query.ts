import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  print,
  visit,
  type DocumentNode,
  type ExecutionResult,
} from "postgraphile/graphql";
import type { Caller } from "./authorise.ts";
import type { Changes } from "./changes.ts";
import { executeRequest, Rejected, type Engine, type GraphqlRequest } from "./execute.ts";
import { maskError } from "./errors.ts";
import type { Log } from "../../common/log.ts";

/**
 * A subscription as the query of the same fields: its result at once, and again after each change that alters it. Rows are
 * read under the subscriber's row-level security every time, so what a notification says is never what is seen.
 */
export async function* liveQuery(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
  changes: Changes,
  log: Log,
): AsyncGenerator<ExecutionResult> {
  const query = print(asQuery(engine.documents.parse(request.query)));
  let last = "";
  try {
    do {
      const result = await run(engine, caller, { ...request, query }, log);
      const text = JSON.stringify(result);
      if (text !== last) yield result;
      last = text;
    } while (await changes.next());
  } finally {
    changes.end();
  }
}

const asQuery = (document: DocumentNode): DocumentNode =>
  visit(document, {
    [Kind.OPERATION_DEFINITION]: (node) => ({ ...node, operation: OperationTypeNode.QUERY }),
  });

/** One operation on a socket; what goes wrong is told as the HTTP endpoint tells it. */
export async function run(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
  log: Log,
): Promise<ExecutionResult> {
  try {
    const { data, errors } = await executeRequest(engine, caller, request);
    return { ...(errors && { errors: errors.map((error) => maskError(error, log)) }), data: data ?? null };
  } catch (error) {
    if (error instanceof Rejected) return { errors: error.errors.map((fault) => maskError(fault, log)) };
    const { message } = error as Error;
    return { errors: [maskError(new GraphQLError(message, { originalError: error as Error }), log)] };
  }
}
