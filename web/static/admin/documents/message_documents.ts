import { document } from "../graphql_access.ts";

export interface OtpText {
  purpose: string | null;
  locale: string | null;
  template: string;
  encoding: string;
  segments: number;
}

export const textsQuery = document<{ settings_otp_template: OtpText[] }>(
  `query { settings_otp_template(limit: 201) { purpose locale template encoding segments } }`,
);

export interface Preview {
  message: string;
  encoding: string;
  characters: number;
  segments: number;
  fault: string | null;
}

export const previewQuery = document<{ preview_message: Preview[] }, { template: string }>(
  `query ($template: String!) {
    preview_message(template: $template) { message encoding characters segments fault }
  }`,
);

export const sendTest = document<
  { send_test_message: { id: string } | null },
  { phone: string; language: string | null }
>(
  `mutation ($phone: String!, $language: String) {
    send_test_message(phone: $phone, language: $language) { id }
  }`,
);
