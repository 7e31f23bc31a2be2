import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { settingsQuery, type Setting } from "../documents/setting_documents.ts";
import { Answer, Empty, Heading } from "../parts.ts";
import { useQuery } from "../requests.ts";
import { SettingRow } from "./setting_row.ts";

const groups: [title: string, pattern: RegExp][] = [
  ["Codes", /^OTP_(?!PROVIDER)/],
  ["Texts and providers", /^(OTP_PROVIDER|EMAIL_)/],
  ["Signing in", /^(LOGIN|SIGNUP|REGISTRATION|INVITATION|PASSWORD|PASSKEY|REGISTER|PHONE_|SECOND_|FACTOR_|STEP_UP)/],
  ["Sessions", /^(SESSION|ACCESS_|REFRESH_|GUEST)/],
  ["Fraud", /^FRAUD_/],
  ["Everything else", /./],
];

function groupSettings(settings: Setting[]): { title: string; settings: Setting[] }[] {
  const titleOf = ({ key }: Setting) => groups.find(([, pattern]) => pattern.test(key))?.[0];
  return groups
    .map(([title]) => ({ title, settings: settings.filter((setting) => titleOf(setting) === title) }))
    .filter((group) => group.settings.length > 0);
}

export function Settings() {
  const answer = useQuery(settingsQuery, {});
  const [text, setText] = useState("");
  const [isChangedOnly, setChangedOnly] = useState(false);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = (setting: Setting) =>
    words.every((word) => `${setting.key} ${setting.description}`.toLowerCase().includes(word)) &&
    (!isChangedOnly || isChanged(setting));
  return html`<${Heading}>Settings<//>
    <p class="lead">A change takes effect at the next request. The database refuses a wrong value and says why.</p>
    <div class="filters">
      <label
        >Search
        <input
          type="search"
          value=${text}
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked=${isChangedOnly}
          onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setChangedOnly(currentTarget.checked)}
        />
        Only what differs from its default
      </label>
    </div>
    <${Answer} of=${answer}>
      ${({ settings_setting: settings }: { settings_setting: Setting[] }) => {
        const shown = groupSettings(settings.filter(isShown));
        if (shown.length === 0) return html`<${Empty}>No setting matches.<//>`;
        return shown.map(
          ({ title, settings: rows }) =>
            html`<section class="card" key=${title} aria-label=${title}>
              <h2>${title}</h2>
              <ul class="settings">
                ${rows.map((setting) => html`<${SettingRow} key=${setting.key} setting=${setting} reload=${answer.reload} />`)}
              </ul>
            </section>`,
        );
      }}
    <//>`;
}

const isChanged = ({ value, default_value }: Setting): boolean =>
  JSON.stringify(value) !== JSON.stringify(default_value);
