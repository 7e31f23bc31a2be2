/** An error that the operator can fix. Its message is shown without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** Runs a program's main function. If it fails, prints the error to standard error and exits with code 1. */
export async function runMain(main: () => Promise<unknown>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error);
    process.exit(1);
  }
}
