import { html } from "htm/preact";
import type { AccountRow } from "../documents/find_documents.ts";
import { Badge, Moment, Table, type Column } from "../parts.ts";
import { openPerson } from "../current_view.ts";

export const AccountBadge = ({ account }: { account: AccountRow }) => {
  if (account.deletion_due_at !== null) return html`<${Badge} tone="warn">to be deleted<//>`;
  if (account.disabled_at !== null) return html`<${Badge} tone="bad">disabled<//>`;
  if (account.phone === null) return html`<${Badge} tone="warn">without a phone<//>`;
  return html`<${Badge} tone="good">active<//>`;
};

const columns: Column[] = [["Phone"], ["State"], ["Made"], ["Email"]];

/** Accounts as a table; each opens its person. */
export function Accounts({ rows }: { rows: AccountRow[] }) {
  const open = (account: AccountRow) =>
    openPerson({ accountId: account.id, ...(account.phone !== null && { identifier: account.phone }) });
  return html`<${Table}
    label="Accounts"
    columns=${columns}
    rows=${rows.map((account) => ({
      key: account.id,
      cells: [
        html`<button type="button" class="link" onClick=${() => open(account)}>${account.phone ?? "no phone"}</button>`,
        html`<${AccountBadge} account=${account} />`,
        html`<${Moment} at=${account.created_at} />`,
        html`<span class="soft">${account.email ?? "–"}</span>`,
      ],
    }))}
  />`;
}
