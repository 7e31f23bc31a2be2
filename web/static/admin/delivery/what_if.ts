import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { Confirm } from "../dialog.ts";
import { whatIf, type Replayed } from "../documents/delivery_documents.ts";
import {
  isRecord,
  settingsByKey,
  writeSetting,
  type JsonRecord,
  type Setting,
} from "../documents/setting_documents.ts";
import { ask, serverNow } from "../graphql_access.ts";
import { Answer, Problem } from "../parts.ts";
import { Comparison } from "./comparison.ts";
import { useAction, useQuery } from "../requests.ts";
import { RuleFields } from "./rule_fields.ts";

const keys = [
  "FRAUD_CALLING_CODES",
  "FRAUD_BUDGET",
  "FRAUD_COUNTRY",
  "FRAUD_CLIENT",
  "FRAUD_COOL_DOWN",
  "FRAUD_NUMBER_TYPES",
];

/** Replays recorded decisions under a changed rule, and compares the result with the settings in force. */
export function WhatIf() {
  const answer = useQuery(settingsByKey, { keys });
  const [key, setKey] = useState("FRAUD_COUNTRY");
  return html`<section class="card" aria-labelledby="what-if">
    <h2 id="what-if">What if a fraud rule were different?</h2>
    <p class="soft">
      Decisions of the past, made again: on the left by the rules in force, on the right by yours. Nothing is changed.
    </p>
    <${Answer} of=${answer}>
      ${({ settings_setting: settings }: { settings_setting: Setting[] }) => {
        const setting = settings.find((one) => one.key === key);
        return html`<label class="inline"
            >Rule
            <select
              value=${key}
              onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => setKey(currentTarget.value)}
            >
              ${settings.map((one) => html`<option key=${one.key}>${one.key}</option>`)}
            </select>
          </label>
          ${setting && html`<${Replay} key=${setting.key + (setting.updated_at ?? "")} setting=${setting} reload=${answer.reload} />`}`;
      }}
    <//>
  </section>`;
}

interface Result {
  now: Replayed[];
  then: Replayed[];
}

function Replay({ setting, reload }: { setting: Setting; reload: () => void }) {
  const [rule, setRule] = useState<JsonRecord>(() => ({
    ...(isRecord(setting.value) ? setting.value : {}),
    mode: "enforce",
  }));
  const [days, setDays] = useState(1);
  const [result, setResult] = useState<Result | undefined>();
  const [isOpen, setOpen] = useState(false);
  const replay = useAction(async () => {
    const to = serverNow();
    const from = new Date(to.getTime() - days * 86_400_000);
    const settings = { [setting.key]: rule };
    setResult(await ask(whatIf, { settings, from: from.toISOString(), to: to.toISOString() }));
    return "The replay is done.";
  });
  const enforce = useAction(async () => {
    await ask(writeSetting, { key: setting.key, value: rule });
    setOpen(false);
    reload();
    return `${setting.key} is in force.`;
  });
  const submit = (event: Event) => {
    event.preventDefault();
    replay.run();
  };
  return html`<form onSubmit=${submit} aria-busy=${replay.isBusy}>
      <p class="soft">${setting.description}</p>
      <div class="filters">
        <${RuleFields} rule=${rule} onChange=${setRule} />
        <label
          >Decisions of the last
          <select
            value=${days}
            onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => setDays(Number(currentTarget.value))}
          >
            <option value="1">day</option>
            <option value="7">7 days</option>
            <option value="30">30 days</option>
          </select>
        </label>
      </div>
      <${Problem} text=${replay.problem} retry=${replay.run} />
      <div class="buttons">
        <button type="button" disabled=${result === undefined} onClick=${() => setOpen(true)}>Put it in force…</button>
        <button class="primary" disabled=${replay.isBusy}>${replay.isBusy ? "Replaying…" : "Replay"}</button>
      </div>
    </form>
    ${result && html`<${Comparison} ruleName=${setting.key} now=${result.now} then=${result.then} />`}
    ${
      isOpen &&
      html`<${Confirm}
        title=${`Put ${setting.key} in force?`}
        verb="Put it in force"
        action=${enforce}
        onConfirm=${enforce.run}
        onClose=${() => setOpen(false)}
      >
        <p>From the next request on it refuses what the replay refused.</p>
      <//>`
    }`;
}
