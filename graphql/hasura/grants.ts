import type { PgCodec } from "postgraphile/@dataplan/pg";

type Right = "select" | "insert" | "update" | "delete" | "execute";
interface Granted {
  getACL: () => ({ role: string } & Partial<Record<Right, boolean>>)[];
}

interface Relation {
  localCodec: PgCodec;
  localAttributes: readonly string[];
  remoteResource: { codec: PgCodec };
  remoteAttributes: readonly string[];
}

/** Whether the audience may read the columns by which rows are related: PostgreSQL refuses every use of it otherwise. */
export function isReadableRelation({
  localCodec,
  localAttributes,
  remoteResource,
  remoteAttributes,
}: Relation): boolean {
  const areReadable = ({ attributes }: PgCodec, names: readonly string[]) =>
    names.every((name) => attributes?.[name]?.extensions?.canSelect !== false);
  return areReadable(localCodec, localAttributes) && areReadable(remoteResource.codec, remoteAttributes);
}

/**
 * Leaves an audience's schema what the grants of any of its roles allow: a guest whose own grants are fewer gets
 * `permission-error` from PostgreSQL. PostGraphile's role-based plugin would take the grants of the role that reads the
 * catalog, which may become every role.
 * @param roles of the audience
 */
export function grantsOf(roles: readonly string[]): GraphileConfig.Plugin {
  /** The roles, and those whose grants they have as members. */
  const names = new Set<string>(roles);
  const isGranted = (entity: Granted, right: Right, also?: string) =>
    entity.getACL().some((acl) => acl[right] === true && (names.has(acl.role) || acl.role === also));
  return {
    name: "LatchkeyGrants",
    after: ["PgRBACPlugin"],
    schema: {
      entityBehavior: {
        pgCodecRelation: {
          override: (behavior, relation) =>
            isReadableRelation(relation)
              ? behavior
              : [behavior, "-singularRelation:resource:single", "-manyRelation:resource:list"],
        },
      },
    },
    gather: {
      hooks: {
        pgIntrospection_introspection(_info, { introspection }) {
          const add = (name: string) => {
            names.add(name);
            const id = introspection.roles.find(({ rolname }) => rolname === name)?._id;
            for (const { member, roleid } of introspection.auth_members)
              if (member === id) add(introspection.roles.find(({ _id }) => _id === roleid)?.rolname ?? name);
          };
          roles.forEach(add);
        },
        pgCodecs_attribute(_info, { pgClass, pgAttribute, attribute }) {
          const may = (right: Right) => isGranted(pgAttribute, right, "public") || isGranted(pgClass, right, "public");
          attribute.extensions = {
            ...attribute.extensions,
            canSelect: may("select"),
            canInsert: may("insert"),
            canUpdate: may("update"),
            // PostgreSQL computes its value and refuses every other.
            ...(pgAttribute.attgenerated && { isInsertable: false, isUpdatable: false }),
          };
        },
        pgTables_PgResourceOptions(_info, { pgClass, resourceOptions }) {
          const columns = pgClass.getAttributes().filter(({ attnum }) => attnum > 0);
          const may = (right: Right) => [pgClass, ...columns].some((each) => isGranted(each, right, "public"));
          resourceOptions.extensions = {
            ...resourceOptions.extensions,
            canSelect: may("select"),
            canInsert: may("insert"),
            canUpdate: may("update"),
            canDelete: isGranted(pgClass, "delete", "public"),
          };
        },
        // PostgreSQL lets PUBLIC execute each new function: only a grant to a role says that clients may call it.
        pgProcedures_PgResourceOptions(_info, { pgProc, resourceOptions }) {
          resourceOptions.extensions = { ...resourceOptions.extensions, canExecute: isGranted(pgProc, "execute") };
        },
      },
    },
  };
}
