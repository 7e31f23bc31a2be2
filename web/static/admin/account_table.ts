import { html } from "htm/preact";
import type { AccountRow } from "./documents/find_documents.ts";
import { Badge, Moment } from "./parts.ts";
import { openPerson } from "./current_view.ts";

export const AccountBadge = ({ account }: { account: AccountRow }) => {
  if (account.deletion_due_at !== null) return html`<${Badge} tone="warn">to be deleted<//>`;
  if (account.disabled_at !== null) return html`<${Badge} tone="bad">disabled<//>`;
  if (account.phone === null) return html`<${Badge} tone="warn">without a phone<//>`;
  return html`<${Badge} tone="good">active<//>`;
};

/** Accounts as a table; each opens its person. */
export function Accounts({ rows }: { rows: AccountRow[] }) {
  const open = (account: AccountRow) =>
    openPerson({ accountId: account.id, ...(account.phone !== null && { identifier: account.phone }) });
  return html`<div class="scroll" role="region" aria-label="Accounts" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Phone</th>
          <th scope="col">State</th>
          <th scope="col">Made</th>
          <th scope="col">Email</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (account) =>
            html`<tr key=${account.id}>
              <td>
                <button type="button" class="link" onClick=${() => open(account)}>
                  ${account.phone ?? "no phone"}
                </button>
              </td>
              <td><${AccountBadge} account=${account} /></td>
              <td><${Moment} at=${account.created_at} /></td>
              <td class="soft">${account.email ?? "–"}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
