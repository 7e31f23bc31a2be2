import { LRUCache } from "lru-cache";
import type { GraphQLError } from "postgraphile/graphql";
import {
  MaxIntrospectionDepthRule,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from "postgraphile/graphql";

/** Parsed documents that are worth remembering, so that PostGraphile's plans, which hang on them, are too. */
const maxRemembered = 200;
const maxRememberedLength = 8_192;
const maxTokens = 10_000;

export interface Documents {
  parse: (query: string) => DocumentNode;
  /** Every fault of the document, but for its variables. */
  validate: (document: DocumentNode) => readonly GraphQLError[];
}

/** Parses and validates each document once. The result depends on nothing but schema and document. */
export function makeDocuments(
  schema: GraphQLSchema,
  { introspection }: { introspection: boolean },
): Documents {
  const rules = [
    ...specifiedRules,
    MaxIntrospectionDepthRule,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  const documents = new LRUCache<string, DocumentNode>({ max: maxRemembered });
  const validated = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  return {
    parse(query) {
      const known = documents.get(query);
      if (known) return known;
      const document = parse(query, { maxTokens });
      if (query.length <= maxRememberedLength) documents.set(query, document);
      return document;
    },
    validate(document) {
      let errors = validated.get(document);
      if (!errors) validated.set(document, (errors = validate(schema, document, rules, { maxErrors: 5 })));
      return errors;
    },
  };
}
