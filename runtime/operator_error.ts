/** A fault that the operator can mend: shown as its message alone, without a stack. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** Runs a program's main function; a fault is one message on standard error and exit code 1. */
export async function runMain(main: () => Promise<unknown>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error);
    process.exit(1);
  }
}
