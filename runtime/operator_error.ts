import { createLog } from "./log.ts";

/** An error that the operator can fix. Its message is shown without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/**
 * Runs the main function of a process whose output is a log. A failure, also one that nothing caught later, ends it
 * with code 1 and is a line of that log, in JSON as every other, unless a person reads it in a terminal.
 * @param name of the process, as in its other lines
 */
export async function runService(name: string, main: () => Promise<unknown>): Promise<void> {
  const fail = (error: unknown) => {
    if (process.stdout.isTTY) printFailure(error);
    else if (error instanceof OperatorError) createLog(name, "fatal").fatal(error.message);
    else createLog(name, "fatal").fatal({ err: error }, "the process ends because of a fault");
    process.exit(1);
  };
  process.on("uncaughtException", fail);
  try {
    refuseArguments();
    await main();
  } catch (error) {
    fail(error);
  }
}

/**
 * For programs that environment variables configure: db:migrate -- --dry-run must not migrate.
 * @throws OperatorError if there are arguments, without them: one may be an address with its password
 */
export function refuseArguments(): void {
  if (process.argv.length > 2)
    throw new OperatorError("This program takes no arguments: variables configure it (docs/configuration.md).");
}

/** Runs a program's main function. If it fails, prints the error to standard error and exits with code 1. */
export async function runMain(main: () => Promise<unknown>): Promise<void> {
  try {
    await main();
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}

function printFailure(error: unknown): void {
  console.error(error instanceof OperatorError ? error.message : error);
}
