import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import {
  factorsQuery,
  removeFactor,
  removeFactorsOf,
  unlockFactors,
  type Factor,
  type FactorsOf,
} from "../documents/person_documents.ts";
import { ask } from "../graphql_access.ts";
import { Answer, Badge, Empty, Moment } from "../parts.ts";
import { useAction, useQuery } from "../requests.ts";

/** So many wrong codes in a row lock an account's second factors (private.most_factor_failures). */
const mostFailures = 100;

/** "all", "unlock", or the one factor that the dialog removes. */
type Opened = "all" | "unlock" | Factor | undefined;

/** A person's second factors, and what an operator can do about lost ones. */
export function Factors({ userId }: { userId: string }) {
  const [opened, setOpened] = useState<Opened>();
  const answer = useQuery(factorsQuery, { user: userId });
  const close = () => setOpened(undefined);
  const done = (text: string): string => {
    close();
    answer.reload();
    return text;
  };
  const remove = useAction(async () => {
    if (typeof opened !== "object") return "";
    const { remove_factor: removed } = await ask(removeFactor, { id: opened.id });
    return done(removed === null ? "It was removed already." : "The second factor is removed.");
  });
  const removeAll = useAction(async () => {
    const { remove_factors_of: removed } = await ask(removeFactorsOf, { user: userId });
    return done(`${removed.length} second factors were removed.`);
  });
  const unlock = useAction(async () => {
    await ask(unlockFactors, { user: userId });
    return done("The second factors can be tried again.");
  });
  return html`<section class="card" aria-labelledby="factors">
    <h2 id="factors">Second factors</h2>
    <${Answer} of=${answer}>
      ${({ user_account_by_pk: account }: { user_account_by_pk: FactorsOf | null }) => {
        const factors = account?.factors ?? [];
        const failures = account?.factor_failures ?? 0;
        if (factors.length === 0) return html`<${Empty}>None: one step signs in.<//>`;
        return html`<ul class="sessions">
            ${factors.map((factor) => html`<${FactorRow} key=${factor.id} factor=${factor} remove=${() => setOpened(factor)} />`)}
          </ul>
          ${
            failures > 0 &&
            html`<p>
              ${failures >= mostFailures ? html`<${Badge} tone="bad">locked<//>` : ""} ${failures} wrong${" "}
              ${failures === 1 ? "code" : "codes"} in a row.
            </p>`
          }
          <div class="buttons">
            ${failures > 0 && html`<button type="button" onClick=${() => setOpened("unlock")}>Unlock…</button>`}
            <button type="button" class="danger quiet" onClick=${() => setOpened("all")}>Remove all…</button>
          </div>`;
      }}
    <//>
    ${
      typeof opened === "object" &&
      html`<${Confirm}
        title="Remove this second factor?"
        verb="Remove"
        isDangerous
        action=${remove}
        onConfirm=${remove.run}
        onClose=${close}
      >
        <p>${nameOf(opened)} works no more. With the last one the recovery codes go too, and one step signs in.</p>
        <${Warning} />
      <//>`
    }
    ${
      opened === "all" &&
      html`<${Confirm}
        title="Remove all second factors?"
        verb="Remove all"
        isDangerous
        action=${removeAll}
        onConfirm=${removeAll.run}
        onClose=${close}
      >
        <p>The recovery codes go too. From then on a password or a code alone signs in.</p>
        <${Warning} />
      <//>`
    }
    ${
      opened === "unlock" &&
      html`<${Confirm}
        title="Unlock the second factors?"
        verb="Unlock"
        action=${unlock}
        onConfirm=${unlock.run}
        onClose=${close}
      >
        <p>
          The count of wrong codes starts again. Whoever typed them had the password or a code of this person: be sure
          who asks, and have the password changed.
        </p>
      <//>`
    }
  </section>`;
}

const Warning = () => html`<p>Be sure who asks: this is what a thief of the password or of the SIM card needs.</p>`;

const nameOf = ({ kind, label }: Factor): string => {
  const name = kind === "totp" ? "Authenticator app" : "Passkey";
  return label === null ? name : `${name} “${label}”`;
};

const FactorRow = ({ factor, remove }: { factor: Factor; remove: () => void }) =>
  html`<li>
    <div>
      <strong>${nameOf(factor)}</strong>
      ${factor.confirmed_at === null && html` <${Badge} tone="warn">not confirmed<//>`}
      ${factor.is_synced === true && html` <${Badge}>synced<//>`}
      ${factor.counter_went_back_at !== null && html` <${Badge} tone="bad">copied?<//>`}
      <p class="soft">
        Added <${Moment} at=${factor.created_at} /> ·${" "}
        ${factor.last_used_at === null ? "never used since" : html`last used <${Moment} at=${factor.last_used_at} />`}
      </p>
      ${
        factor.counter_went_back_at !== null &&
        html`<p class="soft">
          Refused <${Moment} at=${factor.counter_went_back_at} />, because its counter went back: somebody may have a
          copy.
        </p>`
      }
      <code class="id">${factor.id}</code>
    </div>
    <button type="button" aria-label=${`Remove ${nameOf(factor)}`} onClick=${remove}>Remove…</button>
  </li>`;
