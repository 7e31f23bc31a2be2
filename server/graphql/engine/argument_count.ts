import { Kind, type FieldNode, type ObjectFieldNode, type ValueNode } from "postgraphile/graphql";
import { valueLists } from "../hasura/where_conditions.ts";

export interface ArgumentCount {
  nodes: number;
  listValues: number;
}

/** What the arguments of a field hold as they are written: a variable is one node, whatever its value. */
export function countArguments(field: FieldNode): ArgumentCount {
  const count: ArgumentCount = { nodes: 0, listValues: 0 };
  const visit = (value: ValueNode): void => {
    count.nodes++;
    if (value.kind === Kind.LIST) value.values.forEach(visit);
    if (value.kind === Kind.OBJECT) value.fields.forEach(visitMember);
  };
  const visitMember = ({ name, value }: ObjectFieldNode): void => {
    const isList = value.kind === Kind.LIST && valueLists.has(name.value);
    // Scalars only: a list of objects by that name is no _in of any type, and costs as what it is.
    if (isList && !value.values.some(isContainer)) {
      count.nodes++;
      count.listValues += value.values.length;
    } else visit(value);
  };
  for (const { value } of field.arguments ?? []) visit(value);
  return count;
}

const isContainer = ({ kind }: ValueNode): boolean => kind === Kind.LIST || kind === Kind.OBJECT;
