import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { restDocs } from "./rest_docs.ts";

/** npm run docs:rest: writes docs/rest.md. */
const path = join(import.meta.dirname, "..", "docs", "rest.md");
writeFileSync(path, await format(restDocs(), { ...(await resolveConfig(path)), parser: "markdown" }));
