import { generate } from "@graphql-codegen/cli";
import { headers, url } from "./steps.js";

// graphql-codegen's client preset, by introspection, as its documentation sets it up.
await generate(
  {
    schema: [{ [url]: { headers } }],
    documents: ["graphql_request.js"],
    generates: { "./.cache/generated/": { preset: "client", config: { useTypeImports: true, enumsAsTypes: true } } },
    importExtension: ".ts",
    silent: true,
  },
  true,
);
