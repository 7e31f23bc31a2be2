-- What is to be sent to whom for whom, once for each of the routes that send.
create type private.send_request as (
  identifier text,
  identifier_type text,
  purpose text,
  awaited boolean,
  counted_at timestamptz,
  languages text[],
  autofill text,
  account_id uuid,
  client text,
  country text,
  number_type text,
  code_key bytea
);
comment on type private.send_request is
  'A message that somebody requests. identifier: E.164 or lower-cased email. identifier_type: PHONE or EMAIL. purpose, languages, autofill, '
  'account_id: as platform.otp_transaction. awaited: a request waits for the delivery. counted_at: the moment at which the limits counted it, '
  'and its creation. client: address as limits count it. country, number_type: of the phone, as platform.send_decision; null for EMAIL. '
  'code_key: 32 bytes, for a code that is stored at once; else null';
