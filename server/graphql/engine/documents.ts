import { LRUCache } from "lru-cache";
import {
  getOperationAST,
  Kind,
  MaxIntrospectionDepthRule,
  NoSchemaIntrospectionCustomRule,
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

/** Documents that were planned, so that PostGraphile's plans, which hang on them, are kept too. */
const planned = { max: 200, maxSize: 300_000 };
/** Documents that were only parsed, apart: to send many of them is cheap, and must not push out those that are planned. */
const parsed = { max: 100, maxSize: 60_000 };
/** Characters; those of all documents are the sizes above: a syntax tree takes about 100 bytes for each. */
const maxRememberedLength = 8_192;
interface Remembered {
  document: DocumentNode;
  /** Variables of directives: another value means another plan. */
  switches: string[];
  plans: Set<string>;
}

export interface Documents {
  /** Whether to name fields, types and values that a faulty document may have meant. */
  suggestions: boolean;
  parse: (query: string) => DocumentNode;
  /** Every fault of the document, but for its variables. */
  validate: (document: DocumentNode) => readonly GraphQLError[];
  /** Whether all that is left to do for the request is to execute it, or to repeat why its document is wrong. */
  isKnown: (request: GraphqlRequest) => boolean;
  /** The request was planned. */
  remember: (request: GraphqlRequest) => void;
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
  const options = { maxErrors: 5, hideSuggestions: !introspection };
  const sizeCalculation = (_: Remembered, query: string) => query.length + 1;
  const ofPlanned = new LRUCache<string, Remembered>({ ...planned, sizeCalculation });
  const ofParsed = new LRUCache<string, Remembered>({ ...parsed, sizeCalculation });
  const peek = (query: string) => ofPlanned.peek(query) ?? ofParsed.peek(query);
  const validated = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  return {
    suggestions: introspection,
    parse(query) {
      const known = ofPlanned.get(query) ?? ofParsed.get(query);
      if (known) return known.document;
      const document = parseDocument(query);
      if (query.length <= maxRememberedLength)
        ofParsed.set(query, { document, switches: switchesOf(document), plans: new Set() });
      return document;
    },
    validate(document) {
      let errors = validated.get(document);
      if (!errors) validated.set(document, (errors = validate(schema, document, rules, options)));
      return errors;
    },
    isKnown(request) {
      const known = peek(request.query);
      if (!known) return false;
      const isInvalid = (validated.get(known.document) ?? []).length > 0;
      return isInvalid || known.plans.has(planKey(known, request));
    },
    remember(request) {
      const known = peek(request.query);
      if (!known) return;
      if (known.plans.size < maxPlansOfOperation) known.plans.add(planKey(known, request));
      if (ofParsed.delete(request.query)) ofPlanned.set(request.query, known);
    },
  };
}

function switchesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]({ arguments: args = [] }) {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function planKey({ document, switches }: Remembered, { operationName, variables }: GraphqlRequest): string {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions;
  const isOn = (name: string): boolean => {
    const given = variables[name];
    if (given !== undefined) return given === true;
    const value = definitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
    return value?.kind === Kind.BOOLEAN && value.value;
  };
  return [operationName ?? "", ...switches.map((name) => String(isOn(name)))].join(" ");
}
