import {
  getNamedType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  Kind,
  type DocumentNode,
  type GraphQLSchema,
} from "postgraphile/graphql";
import type { AudienceSchema } from "../hasura/preset.ts";
import type { ChangeSource } from "../hasura/subscriptions.ts";

const sources = new WeakMap<DocumentNode, ReadonlySet<ChangeSource>>();

/** What a subscription reads again after: the changes of the tables whose rows its fields have, at any depth. */
export function sourcesOf(document: DocumentNode, { schema, liveTypes }: AudienceSchema): ReadonlySet<ChangeSource> {
  let found = sources.get(document);
  if (!found)
    sources.set(document, (found = new Set(typesOf(document, schema).flatMap((name) => liveTypes.get(name) ?? []))));
  return found;
}

function typesOf(document: DocumentNode, schema: GraphQLSchema): string[] {
  const names = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      [Kind.FIELD]() {
        const type = getNamedType(typeInfo.getType());
        if (type) names.add(type.name.replace(/_aggregate$/, ""));
      },
    }),
  );
  return [...names];
}
