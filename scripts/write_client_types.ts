import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientTypes } from "./client_types.ts";

/** npm run client:types: writes client/src/schema.ts. */
const path = join(import.meta.dirname, "..", "client", "src", "schema.ts");
writeFileSync(path, await clientTypes(path));
