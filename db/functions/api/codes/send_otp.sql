create or replace function api.send_otp(
  identifier text, identifier_type text, purpose text, client text, code_key bytea, country text,
  languages text[] default '{}', autofill_origin text default null, autofill_app_hash text default null, number_type text default null,
  channel text default null, proof_digest bytea default null, proof_is_good boolean default null
)
returns api.otp_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_request private.send_request := row(
    send_otp.identifier, send_otp.identifier_type, send_otp.purpose, true, null, send_otp.languages,
    private.autofill_target(send_otp.autofill_origin, send_otp.autofill_app_hash), null, send_otp.client, send_otp.country,
    send_otp.number_type, send_otp.code_key
  )::private.send_request;
  v_answer api.otp_answer;
  v_verdict private.rate_limit_verdict;
  v_test_code text := private.test_code(send_otp.identifier);
  v_rules private.rate_limit_rule[] := private.client_rules('OTP_SEND_PER_IP', send_otp.client)
    || private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', private.counted_identifier(send_otp.identifier));
begin
  v_answer.error := coalesce(
    private.identifier_error('input.identifier', coalesce(send_otp.identifier, ''), send_otp.identifier_type),
    case send_otp.purpose when 'LOGIN' then private.login_by_otp_error() when 'SIGNUP' then private.registration_error() end,
    private.autofill_error(send_otp.identifier_type, send_otp.autofill_origin, send_otp.autofill_app_hash),
    private.channel_error(send_otp.channel, send_otp.identifier_type, send_otp.identifier)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if v_test_code is not null then
    return private.send_test_otp(v_request, v_test_code);
  end if;

  v_answer.error := private.proof_error(v_request, v_rules, send_otp.proof_digest, send_otp.proof_is_good);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_verdict := private.take_rate_limits(v_rules);
  v_request.counted_at := v_verdict.taken_at;
  v_answer.error := coalesce(
    private.rate_limit_error(v_verdict),
    -- After the limits, so that nobody can try many numbers. An account's number is sent to even if no numbering plan
    -- has it any more.
    case when send_otp.number_type = 'INVALID' and (private.usable_account(send_otp.identifier)).id is null then
      private.error('INVALID_IDENTIFIER', jsonb_build_object('field', 'input.identifier'))
    end
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if send_otp.identifier_type = 'EMAIL' and private.setting('EMAIL_DELIVERY') = '"off"' then
    v_request.awaited := false;
    return private.otp_answer(private.store_otp(v_request, 'stored', private.make_code(private.setting_integer('OTP_LENGTH'))));
  end if;
  v_answer := private.send_code(v_request);
  update platform.otp_transaction o set channel = send_otp.channel where o.id = v_answer.otp_id and send_otp.channel is not null;
  return v_answer;
end
$$;

comment on function api.send_otp(text, text, text, text, bytea, text, text[], text, text, text, text, bytea, boolean) is
$$POST /api/v1/otp/send: makes a one-time password and queues its message; the caller then waits up to wait_seconds for
NOTIFY otp_delivery, which only wakes it, and calls api.settle_otp_send. For EMAIL, while EMAIL_DELIVERY is off, it stores the code, which
is never sent. A code that would open nothing is not sent, and
answered alike (private.is_withheld). For a test number it stores the fixed code, counts for the client alone and sends nothing.
identifier: E.164 or lower-cased email. identifier_type: PHONE or EMAIL. purpose: LOGIN, SIGNUP or PASSWORD_RESET.
client: address as limits count it. code_key: as private.hash_code. country: of the phone, as platform.send_decision has it; null for EMAIL.
languages: of the request, the preferred one first. autofill_origin, autofill_app_hash: as private.autofill_target.
channel: sms, whatsapp or voice; null: as the provider is set up. proof_digest, proof_is_good: as private.proof_error.
number_type: of the phone, as libphonenumber has it; INVALID: no numbering plan has the number; null for EMAIL.
Errors: INVALID_IDENTIFIER (a malformed identifier, or an invalid number without an account), INVALID_REQUEST (details.reason not_enabled: LOGIN
while LOGIN_BY_OTP is off, SIGNUP while REGISTRATION is closed; details.field, details.reason autofill_not_allowed, channel_not_allowed; details.reason refused_by_hook; details.reason proof_required), RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IDENTIFIER, OTP_SEND_PER_IP;
for PHONE the fraud rules in mode "enforce").$$;
grant execute on function api.send_otp(text, text, text, text, bytea, text, text[], text, text, text, text, bytea, boolean) to latchkey_server;
