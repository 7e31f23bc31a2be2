/**
 * Grafast asks at import whether it runs in development, and says so on standard output if nobody told it.
 * Imported before it: its development checks are for plugin authors, and cost every request.
 */
process.env.GRAPHILE_ENV ??= "production";
