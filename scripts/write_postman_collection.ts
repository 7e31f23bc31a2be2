import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { postmanCollection } from "./postman_collection.ts";

/** npm run examples:postman: writes examples/latchkey.postman_collection.json. */
writeFileSync(
  join(import.meta.dirname, "../examples/latchkey.postman_collection.json"),
  `${JSON.stringify(await postmanCollection(), null, 2)}\n`,
);
