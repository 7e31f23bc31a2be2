import { LRUCache } from "lru-cache";
import {
  getOperationAST,
  Kind,
  MaxIntrospectionDepthRule,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
} from "postgraphile/graphql";
import type { GraphqlRequest } from "./graphql_request.ts";
import { maxPlansOfOperation } from "./plan_caches.ts";
import { parseDocument } from "./parse_document.ts";

/**
 * Grafast stores its plans on the document, so this cache keeps the plans too. `maxSize` counts characters of
 * documents.
 */
const plannedLimits = { max: 200, maxSize: 300_000 };
/** A separate cache: parsing is cheap, so documents that are only parsed must not evict planned ones. */
const parsedLimits = { max: 100, maxSize: 60_000 };
/** Characters of a document that may be cached. Its syntax tree takes about 100 bytes for each. */
const maxCachedLength = 8_192;

interface CachedDocument {
  document: DocumentNode;
  /** Variables in directives. Grafast makes another plan for another value of @skip and @include. */
  directiveVariables: string[];
  planKeys: Set<string>;
}

export interface DocumentCache {
  /** Whether validation errors suggest names of the schema. */
  suggestions: boolean;
  /** @throws GraphQLError or Refusal, see parseDocument */
  parse: (query: string) => DocumentNode;
  /** @returns all validation errors of the document; its variables are not validated here */
  validate: (document: DocumentNode) => readonly GraphQLError[];
  /** Whether the request needs no work but its execution: its plan, or its validation errors, are cached. */
  isCached: (request: GraphqlRequest) => boolean;
  /** Records that Grafast has planned the request, or a subscription's query. */
  markPlanned: (request: GraphqlRequest) => void;
}

/**
 * Parses and validates each document once.
 * @param introspection whether to allow introspection, and to suggest names of the schema in errors
 */
export function createDocumentCache(
  schema: GraphQLSchema,
  { introspection }: { introspection: boolean },
): DocumentCache {
  const rules = [
    ...specifiedRules,
    MaxIntrospectionDepthRule,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  const options = { maxErrors: 5, hideSuggestions: !introspection };
  const sizeCalculation = (_: CachedDocument, query: string) => query.length + 1;
  const planned = new LRUCache<string, CachedDocument>({ ...plannedLimits, sizeCalculation });
  const parsed = new LRUCache<string, CachedDocument>({ ...parsedLimits, sizeCalculation });
  // Apart from `planned`: texts of subscriptions may share one planned query, so a client could evict other documents
  // without planning.
  const subscriptions = new LRUCache<string, CachedDocument>({ ...plannedLimits, sizeCalculation });
  const peek = (query: string) => planned.peek(query) ?? subscriptions.peek(query) ?? parsed.peek(query);
  const validationErrors = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  return {
    suggestions: introspection,
    parse(query) {
      const cached = planned.get(query) ?? subscriptions.get(query) ?? parsed.get(query);
      if (cached) return cached.document;
      const document = parseDocument(query);
      if (query.length <= maxCachedLength)
        parsed.set(query, {
          document,
          directiveVariables: directiveVariablesOf(document),
          planKeys: new Set(),
        });
      return document;
    },
    validate(document) {
      let errors = validationErrors.get(document);
      if (!errors) validationErrors.set(document, (errors = validate(schema, document, rules, options)));
      return errors;
    },
    isCached(request) {
      const cached = peek(request.query);
      if (!cached) return false;
      const isInvalid = (validationErrors.get(cached.document) ?? []).length > 0;
      return isInvalid || cached.planKeys.has(planKeyOf(cached, request));
    },
    markPlanned(request) {
      const cached = peek(request.query);
      if (!cached) return;
      if (cached.planKeys.size < maxPlansOfOperation) cached.planKeys.add(planKeyOf(cached, request));
      const type = getOperationAST(cached.document, request.operationName)?.operation;
      const cache = type === OperationTypeNode.SUBSCRIPTION ? subscriptions : planned;
      if (parsed.delete(request.query)) cache.set(request.query, cached);
    },
  };
}

function directiveVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]({ arguments: args = [] }) {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** Two requests with the same document and the same key have the same plan. */
function planKeyOf(
  { document, directiveVariables }: CachedDocument,
  { operationName, variables }: GraphqlRequest,
): string {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions;
  const isTrue = (name: string): boolean => {
    // Not a member that every object has: a variable may have the name of one, as toString.
    if (Object.hasOwn(variables, name) && variables[name] !== undefined) return variables[name] === true;
    const defaultValue = definitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
    return defaultValue?.kind === Kind.BOOLEAN && defaultValue.value;
  };
  return [operationName ?? "", ...directiveVariables.map((name) => String(isTrue(name)))].join(" ");
}
