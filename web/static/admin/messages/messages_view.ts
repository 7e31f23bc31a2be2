import { html } from "htm/preact";
import { textsQuery, type OtpText } from "../documents/message_documents.ts";
import { settingsByKey, type Setting } from "../documents/setting_documents.ts";
import { Answer, Empty, Heading } from "../parts.ts";
import { Provider } from "./provider_form.ts";
import { useQuery } from "../requests.ts";
import { TestSend } from "./test_send.ts";
import { Texts } from "./texts.ts";

const keys = ["OTP_PROVIDER"];

/** The provider of the SMS, their texts, and a test message. */
export function Messages() {
  const setting = useQuery(settingsByKey, { keys });
  const texts = useQuery(textsQuery, {});
  const reload = () => {
    setting.reload();
    texts.reload();
  };
  return html`<${Heading}>Messages<//>
    <p class="lead">Who sends the SMS, what they say, and whether they arrive.</p>
    <${Answer} of=${setting}>
      ${({ settings_setting: [provider] }: { settings_setting: Setting[] }) =>
        provider === undefined
          ? html`<${Empty}>This Latchkey has no setting OTP_PROVIDER.<//>`
          : html`<div class="columns">
              <div>
                ${
                  provider.value !== null &&
                  html`<${Answer} of=${texts}>
                    ${({ settings_otp_template: rows }: { settings_otp_template: OtpText[] }) =>
                      html`<${Texts} provider=${provider.value} texts=${rows} reload=${reload} />`}
                  <//>`
                }
              </div>
              <div>
                <${Provider}
                  key=${provider.updated_at}
                  setting=${provider}
                  isLoading=${setting.isBusy}
                  reload=${reload}
                />
                <${TestSend} isReady=${provider.value !== null} />
              </div>
            </div>`}
    <//>`;
}
