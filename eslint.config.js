import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

const readBodies = "Read bodies with http/body_reader.ts.";
const override = {
  selector: "CallExpression[callee.property.name='override']",
  message: "Extend the test instead: files share a process, and an override stays for the next file.",
};
const hook = "[name=/^(before|after|around)(Each|All)$/]";

export default defineConfig(
  { ignores: ["**/node_modules/", "**/.cache/", ".latchkey/", "client/dist/", "client/src/schema.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Numbers in templates are intended; objects are still errors.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": "error",
      // Express passes its own request type where node:http expects a class.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      // It asks for the type of each expression, and enums of our own do not compile (erasableSyntaxOnly).
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // vitest requires a pattern also of a fixture that uses no other one.
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }],
      // An empty environment variable means "not set", so || is correct for strings.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
    },
  },
  {
    // What uses enums of libraries.
    files: ["{graphql,runtime,worker}/**/*.ts"],
    rules: { "@typescript-eslint/no-unsafe-enum-assignment": "error" },
  },
  {
    // As a reader of the tutorial writes them, in a browser and in Node.
    files: ["examples/notes/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["console", "crypto", "document", "process", "URL"].map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    // From the URL to the SQL: what the route table says is checked by the compiler, and a cast would be believed.
    files: ["server/rest/*.ts", "server/database/{api_*,batch,batched_calls,database}.ts"],
    ignores: ["**/*.test.ts"],
    rules: { "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }] },
  },
  {
    // What a stranger may send: no parser of its own, which would decode bodies and have no bound for those in flight,
    // and nothing that takes more time than in proportion to a text's length.
    files: ["{server,worker,config,runtime,db,embedded,http,graphql}/**/*.ts"],
    ignores: ["**/*.test.ts", "**/fixtures/**", "http/body_reader.ts", "runtime/normalize_text.ts"],
    plugins: { regexp },
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name='express'][property.name=/^(json|urlencoded|raw|text)$/]",
          message: readBodies,
        },
        {
          selector:
            "ImportDeclaration[source.value='express'] ImportSpecifier[imported.name=/^(json|urlencoded|raw|text)$/]",
          message: readBodies,
        },
        {
          selector: "CallExpression[callee.property.name='normalize']",
          message: "Normalize with runtime/normalize_text.ts, which has a bound.",
        },
      ],
      "no-restricted-imports": ["error", ...["body-parser", "raw-body"].map((name) => ({ name, message: readBodies }))],
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
  {
    files: ["**/*.test.ts", "testing/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-syntax": ["error", override],
    },
  },
  {
    // What test files share.
    files: ["testing/**/*.ts", "**/fixtures/**/*.ts"],
    ignores: ["**/*.test.ts", "testing/run/after_each_file.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        override,
        {
          selector: `CallExpression > Identifier${hook}, CallExpression > MemberExpression > Identifier${hook}`,
          message: "Make it a fixture that is auto: files share a process, and this would run for the first one alone.",
        },
      ],
    },
  },
);
