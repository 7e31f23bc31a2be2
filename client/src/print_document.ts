/** A node of a GraphQL document, as graphql-js parses it and code generators write it. */
interface Node {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Writes a document of operations and fragments as text. graphql-js would be ten times as large as the client. */
export function printDocument(node: unknown): string {
  if (!node) return "";
  const { kind, value, ...own } = node as Node;
  const one = (member: string, before = "", after = ""): string =>
    own[member] ? before + printDocument(own[member]) + after : "";
  const all = (member: string, before = " ", after = " "): string => {
    const nodes = (own[member] ?? []) as Node[];
    return nodes.length > 0 ? before + nodes.map(printDocument).join(" ") + after : "";
  };
  switch (kind) {
    case "Document":
      return all("definitions");
    case "OperationDefinition":
      return `${own.operation as string} ${one("name")}${all("variableDefinitions", "(", ")")}${all("directives")}${one("selectionSet")}`;
    case "FragmentDefinition":
      return `fragment ${one("name")}${one("typeCondition", " on ")}${all("directives")}${one("selectionSet")}`;
    case "VariableDefinition":
      return one("variable") + one("type", ":") + one("defaultValue", "=") + all("directives");
    case "SelectionSet":
      return all("selections", "{", "}");
    case "Field":
      return one("alias", "", ":") + one("name") + all("arguments", "(", ")") + all("directives") + one("selectionSet");
    case "FragmentSpread":
      return `...${one("name")}${all("directives")}`;
    case "InlineFragment":
      return `...${one("typeCondition", " on ")}${all("directives")}${one("selectionSet")}`;
    case "Directive":
      return `@${one("name")}${all("arguments", "(", ")")}`;
    case "Argument":
    case "ObjectField":
      return `${one("name")}:${printDocument(value)}`;
    case "NamedType":
      return one("name");
    case "ListType":
      return `[${one("type")}]`;
    case "NonNullType":
      return `${one("type")}!`;
    case "Variable":
      return `$${one("name")}`;
    case "StringValue":
      return JSON.stringify(value);
    case "ListValue":
      return `[${((own.values ?? []) as Node[]).map(printDocument).join(" ")}]`;
    case "ObjectValue":
      return `{${all("fields")}}`;
    case "NullValue":
      return "null";
    case "Name":
    case "IntValue":
    case "FloatValue":
    case "BooleanValue":
    case "EnumValue":
      return String(value);
    default:
      throw new Error(`A document for requests cannot have the kind ${kind}.`);
  }
}
