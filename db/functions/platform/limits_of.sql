create or replace function platform.limits_of(subject text)
returns setof platform.limit_state
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_subject text := private.current_number(limits_of.subject);
  v_type text := case when v_subject like '%@%' then 'EMAIL' else 'PHONE' end;
begin
  return query
  select s.*
  from private.rate_limits_of(v_subject) l, private.limit_state(l, private.counted_identifier(v_subject)) s
  where s.policy is not null
  union all
  select 'OTP_FAILURES_IN_A_ROW', null, s.failures, private.setting_integer('OTP_FAILURES_IN_A_ROW'),
    extract(epoch from private.failures_block())::integer,
    case when private.failures_are_spent(s.failures, s.failed_at) then s.failed_at + private.failures_block() end
  from private.verification_state s
  where s.identifier_type = v_type and s.identifier = v_subject and s.failures > 0
    and private.setting_integer('OTP_FAILURES_IN_A_ROW') is not null
  union all
  select 'OTP_MAX_ATTEMPTS', g.purpose, g.guesses, private.setting_integer('OTP_MAX_ATTEMPTS'), private.setting_integer('OTP_TTL_SECONDS'),
    case when private.guesses_are_spent(a, private.current_otp(a)) then g.first_guess_at + private.setting_period('OTP_TTL_SECONDS') end
  from private.guess_count g, private.attempt_counted(g) a
  where g.identifier_type = v_type and g.identifier = v_subject
    and g.first_guess_at + private.setting_period('OTP_TTL_SECONDS') > clock_timestamp()
  order by 6 desc nulls last, 1, 2;
end
$$;

comment on function platform.limits_of(text) is
$$Query limits_of: what limits count now for a phone, an email address, a client's address or a user's id, those without room first.
subject: E.164, a lower-cased email address, an address as limits count it, or an id. Of a limit that counts a phone together with clients,
at most 100 rows.$$;
grant execute on function platform.limits_of(text) to latchkey_admin;
