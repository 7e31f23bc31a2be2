import { adminDatabaseUrl } from "../config/admin_database.ts";
import { runMain } from "../runtime/operator_error.ts";
import { parseArguments } from "./explain/explain_arguments.ts";
import { formatStory, readStory } from "./explain/printed_story.ts";

/** npm run explain -- +4915112345678 --since 24h: prints what became of the codes of a phone or email address. */
await runMain(async () => {
  const request = parseArguments(process.argv.slice(2));
  const events = await readStory(adminDatabaseUrl(process.env), request);
  console.log(formatStory(request, events));
});
