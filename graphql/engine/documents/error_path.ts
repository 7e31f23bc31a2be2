import {
  BREAK,
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLError,
  type SelectionSetNode,
  type ValueNode,
} from "postgraphile/graphql";

/** extensions.path of an error that concerns the whole request, as Hasura writes it. */
export const wholeRequest = "$";

/** extensions.path of an error of a field that was executed. @param path the field, as GraphQL names it */
export const pathOfField = (path: GraphQLError["path"]): string =>
  [wholeRequest, ...(path ?? []).filter((key) => typeof key === "string")].join(".selectionSet.");

/** extensions.path of a node of the document: $.selectionSet.user_session.args.where.id */
export function pathOfNode(document: DocumentNode, node: ASTNode | undefined): string {
  return node ? pathFrom(document, node, new Set()) : wholeRequest;
}

/** @param entered fragments on the way, so that one that spreads itself ends the search */
function pathFrom(document: DocumentNode, node: ASTNode, entered: Set<string>): string {
  const definition = document.definitions.find((each) => contains(each, node));
  if (definition?.kind === Kind.OPERATION_DEFINITION) return wholeRequest + inSelections(definition.selectionSet, node);
  if (definition?.kind !== Kind.FRAGMENT_DEFINITION || entered.has(definition.name.value)) return wholeRequest;
  const spread = findSpread(document, definition.name.value);
  if (!spread) return wholeRequest;
  entered.add(definition.name.value);
  return pathFrom(document, spread, entered) + inSelections(definition.selectionSet, node);
}

function findSpread(document: DocumentNode, fragment: string): FragmentSpreadNode | undefined {
  let found: FragmentSpreadNode | undefined;
  visit(document, {
    [Kind.FRAGMENT_SPREAD](spread) {
      if (spread.name.value !== fragment) return undefined;
      found = spread;
      return BREAK;
    },
  });
  return found;
}

function inSelections(set: SelectionSetNode | undefined, node: ASTNode): string {
  const selection = set?.selections.find((each) => contains(each, node));
  if (selection?.kind === Kind.FIELD)
    return `.selectionSet.${(selection.alias ?? selection.name).value}${inField(selection, node)}`;
  return selection?.kind === Kind.INLINE_FRAGMENT ? inSelections(selection.selectionSet, node) : "";
}

function inField({ arguments: args = [], selectionSet }: FieldNode, node: ASTNode): string {
  const argument = args.find((each) => contains(each, node));
  if (argument) return `.args.${argument.name.value}${inValue(argument.value, node)}`;
  return inSelections(selectionSet, node);
}

function inValue(value: ValueNode, node: ASTNode): string {
  if (value.kind === Kind.OBJECT) {
    const field = value.fields.find((each) => contains(each, node));
    return field ? `.${field.name.value}${inValue(field.value, node)}` : "";
  }
  if (value.kind !== Kind.LIST) return "";
  const index = value.values.findIndex((each) => contains(each, node));
  const item = value.values[index];
  return item ? `[${index}]${inValue(item, node)}` : "";
}

/** By their places in the text, so that the way down looks at no node beside it. */
const contains = (outer: ASTNode, inner: ASTNode): boolean =>
  outer.loc !== undefined &&
  inner.loc !== undefined &&
  outer.loc.start <= inner.loc.start &&
  inner.loc.end <= outer.loc.end;
