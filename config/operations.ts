import { z } from "zod";
import { integer } from "./fields.ts";

const programs = ["server", "graphql", "worker"] as const;

/** Of each program that serves. */
export const operationsVariables = {
  OPERATIONS_PORT: integer(0, 65_533).optional(),
  OPERATIONS_HOST: z.string().default("127.0.0.1"),
};

interface Variables {
  OPERATIONS_PORT?: number | undefined;
  OPERATIONS_HOST: string;
}

/**
 * Where a program serves its metrics; undefined: nowhere. The three programs of one machine may share their
 * environment: the server has the port itself, GraphQL the next one, the worker the one after that.
 */
export function operationsAddress(
  { OPERATIONS_PORT: first, OPERATIONS_HOST: HOST }: Variables,
  program: (typeof programs)[number],
) {
  if (first === undefined) return undefined;
  // 0: any free port.
  const PORT = first === 0 ? 0 : first + programs.indexOf(program);
  return { PORT, HOST, prefix: "OPERATIONS_" };
}
