import { adminDatabaseUrl } from "../config/admin_database.ts";
import { runMain } from "../runtime/operator_error.ts";
import { parseArguments } from "./explain/explain_arguments.ts";
import { formatStory, readStory } from "./explain/printed_story.ts";

/**
 * npm run explain -- +4915112345678 --since 24h: prints what became of the codes of a phone or email address.
 * npm run explain -- --request 0b55f6a8-ffb1-4ac0-b3c9-7ed0f0d6c1a1: prints what refused a request.
 */
await runMain(async () => {
  const request = parseArguments(process.argv.slice(2));
  const events = await readStory(adminDatabaseUrl(process.env), request);
  console.log(formatStory(request, events));
});
