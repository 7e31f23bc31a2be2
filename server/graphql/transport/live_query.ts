import { hash } from "node:crypto";
import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  print,
  visit,
  type DocumentNode,
  type ExecutionResult,
} from "postgraphile/graphql";
import type { Caller } from "../../authorization/caller.ts";
import type { Changes } from "./changes.ts";
import { executeRequest } from "../engine/execute.ts";
import { Rejected } from "../engine/prepare_request.ts";
import type { Engine } from "../engine/engine.ts";
import type { GraphqlRequest } from "../engine/graphql_request.ts";
import { maskError } from "../engine/refusal.ts";
import type { Log } from "../../../runtime/log.ts";

interface LiveQuery {
  document: DocumentNode;
  /** Reads the query, as the subscriber that is authorized now. */
  read: (query: string) => Promise<ExecutionResult>;
  changes: Changes;
  /** Runs every read but the first one, when there is room for it. */
  pace: <T>(read: () => Promise<T>) => Promise<T>;
  /** Called once, when nothing of it runs any more. */
  ended: () => void;
}

/**
 * A subscription as the query of the same fields: its result at once, and again after each change that alters it. Rows are
 * read under the subscriber's row-level security every time, so what a notification says is never what is seen.
 * return() ends it at once: a generator by itself would go on waiting for the next change.
 */
export function liveQuery(query: LiveQuery): AsyncIterableIterator<ExecutionResult> {
  const inner = results(query);
  const end = once(query.ended);
  const take = async (step: Promise<IteratorResult<ExecutionResult, undefined>>) => {
    const result = await step.catch((error: unknown) => {
      end();
      throw error;
    });
    if (result.done) end();
    return result;
  };
  return {
    next: () => take(inner.next()),
    return: () => {
      query.changes.end();
      return take(inner.return(undefined));
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* results({
  document,
  read,
  changes,
  pace,
}: LiveQuery): AsyncGenerator<ExecutionResult, undefined> {
  const query = print(asQuery(document));
  const readAgain = async (): Promise<ExecutionResult | undefined> => {
    // The subscriber may have gone while the read was waiting for room.
    if (changes.isOver) return undefined;
    changes.clear();
    return read(query);
  };
  let last = "";
  let result = await readAgain();
  while (result) {
    // Not the text itself, which may be long: every subscriber would keep one.
    const digest = hash("sha256", JSON.stringify(result), "base64");
    if (digest !== last) yield result;
    last = digest;
    result = (await changes.next()) ? await pace(readAgain) : undefined;
  }
  return undefined;
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
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
