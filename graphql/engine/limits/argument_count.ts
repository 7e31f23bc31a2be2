import { Kind, type FieldNode, type ObjectFieldNode, type ValueNode } from "postgraphile/graphql";
import { listOperators } from "../../hasura/operators.ts";

export interface ArgumentCount {
  nodes: number;
  /** Values of `_in` and `_nin`, which do not count as nodes. */
  listValues: number;
}

/** Counts a field's arguments in the document itself: a variable is one node, whatever its value. */
export function countArguments(field: FieldNode): ArgumentCount {
  const count: ArgumentCount = { nodes: 0, listValues: 0 };
  const visit = (value: ValueNode): void => {
    count.nodes++;
    if (value.kind === Kind.LIST) value.values.forEach(visit);
    if (value.kind === Kind.OBJECT) value.fields.forEach(visitMember);
  };
  const visitMember = ({ name, value }: ObjectFieldNode): void => {
    const isOperatorList = value.kind === Kind.LIST && listOperators.has(name.value);
    // Only lists of scalars: PostgreSQL gets them as one parameter. Objects count node by node.
    if (isOperatorList && !value.values.some(isContainer)) {
      count.nodes++;
      count.listValues += value.values.length;
    } else visit(value);
  };
  for (const { value } of field.arguments ?? []) visit(value);
  return count;
}

const isContainer = ({ kind }: ValueNode): boolean => kind === Kind.LIST || kind === Kind.OBJECT;
