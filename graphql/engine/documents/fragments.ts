import { Kind, type DocumentNode, type FragmentDefinitionNode } from "postgraphile/graphql";

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragment definitions of a document, by name. */
export const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
