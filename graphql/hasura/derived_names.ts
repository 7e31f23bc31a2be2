const fields = ["by_pk", "aggregate", "stream"];
const mutations = ["insert", "update", "delete"];
const mutationEndings = ["", "_one", "_by_pk", "_many"];
const types = (
  "aggregate_fields aggregate_order_by aggregate_bool_exp args bool_exp order_by insert_input arr_rel_insert_input obj_rel_insert_input " +
  "set_input inc_input append_input prepend_input delete_key_input delete_elem_input delete_at_path_input updates pk_columns_input " +
  "mutation_response constraint update_column on_conflict select_column stream_cursor_input"
).split(" ");

/** Names in GraphQL that a table, or a function, takes: root fields and types. */
export const derivedNames = (name: string, isTable: boolean): string[] =>
  isTable
    ? [
        name,
        ...[...fields, ...types].map((ending) => `${name}_${ending}`),
        ...mutations.flatMap((verb) => mutationEndings.map((ending) => `${verb}_${name}${ending}`)),
      ]
    : [name, `${name}_args`];
