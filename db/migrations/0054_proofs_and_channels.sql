-- A proof of a captcha before a send, and the channel that a request may name.
alter table private.setting_definition drop constraint setting_definition_kind_is_known;
alter table private.setting_definition add constraint setting_definition_kind_is_known check (
  kind in (
    'integer', 'integer or off', 'limit', 'limit or off', 'on or off', 'provider', 'origins', 'app hashes', 'channels', 'test numbers', 'fraud rule'
  )
  or kind ~ '^one of [a-z-]+(, [a-z-]+)+$'
);
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('OTP_CHANNELS', 'channels', '["sms"]', null, null, 'Channels that input.channel of POST /otp/send may name'),
  ('SEND_PROOF', 'one of off, suspicious, all', '"off"', null, null,
   'Which sends need a captcha''s proof: none; those that a fraud rule in mode record objects to; all'),
  ('SEND_PROOF_PROVIDER', 'one of turnstile, hcaptcha, recaptcha', '"turnstile"', null, null, 'Whose captcha SEND_PROOF asks for'),
  ('SEND_PROOF_ON_FAILURE', 'one of refuse, accept', '"refuse"', null, null, 'What a proof is worth that its provider did not verify in time'),
  ('SEND_PROOF_FAILURES_PER_IP', 'limit or off', '"30/900"', null, null, 'Refused proofs of one client; beyond it none is verified');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d
where d.key in ('OTP_CHANNELS', 'SEND_PROOF', 'SEND_PROOF_PROVIDER', 'SEND_PROOF_ON_FAILURE', 'SEND_PROOF_FAILURES_PER_IP');

create table private.used_proof (
  digest bytea primary key constraint used_proof_digest_is_hashed check (length(digest) = 32),
  used_at timestamptz not null
);
comment on table private.used_proof is
  'Captchas'' proofs that a send was accepted for: each counts once, over all servers. Deleted once no provider would verify them any more.';
comment on column private.used_proof.digest is 'SHA-256 of the provider''s name and the proof';
comment on column private.used_proof.used_at is 'When it was used';
alter table private.used_proof enable row level security;

alter table platform.otp_transaction add column channel text
  constraint otp_transaction_channel_is_known check (channel in ('sms', 'whatsapp', 'voice'));
comment on column platform.otp_transaction.channel is
  'The channel that the request named: it is sent by providers that have it; null: none, so as each provider is set up';
