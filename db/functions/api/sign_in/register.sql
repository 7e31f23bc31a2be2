create or replace function api.register(
  phone text, email text, password_prehash text, password_length integer, password_is_common boolean, client text
)
returns api.account_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.account_answer;
  v_rules private.rate_limit_rule[] := private.client_rules('REGISTER_PER_IP', register.client);
  v_password_hash text;
begin
  -- Limits are read before bcrypt runs and counted after it, so that bcrypt runs without a lock.
  v_answer.error := coalesce(
    private.identifier_error('phone', register.phone),
    private.identifier_error('email', register.email, 'EMAIL'),
    private.password_error('password', register.password_length, register.password_is_common),
    private.registration_error(),
    private.rate_limit_error(private.look_at_rate_limits(v_rules))
  );
  if v_answer.error is null then
    v_password_hash := private.hash_registration_password(register.phone, register.password_prehash);
    perform private.lock_verification_state('PHONE', register.phone);
    v_answer.error := private.rate_limit_error(private.take_rate_limits(v_rules));
  end if;
  if v_answer.error is null then
    v_answer.error := private.before_register(register.phone, register.client);
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_answer.user_id := private.new_id();
  perform private.store_registration(v_answer.user_id, register.phone, register.email, v_password_hash);
  return v_answer;
end
$$;

comment on function api.register(text, text, text, integer, boolean, text) is
$$POST /api/v1/auth/register: keeps a registration until its phone is verified. For a registered phone, and for one that is not invited while
REGISTRATION is invited, it stores nothing, and gives the same answer after the same work. phone: E.164. email: lower-cased, or null. password_prehash: the server's keyed pre-hash.
password_length, password_is_common: as private.password_error. client: address as limits count it.
Errors: INVALID_IDENTIFIER (details.field), INVALID_REQUEST (details.field, details.reason; details.reason not_enabled: REGISTRATION is closed;
details.reason refused_by_hook), RATE_LIMIT_EXCEEDED (REGISTER_PER_IP).$$;
grant execute on function api.register(text, text, text, integer, boolean, text) to latchkey_server;
