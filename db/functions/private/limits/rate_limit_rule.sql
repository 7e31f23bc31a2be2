create or replace function private.rate_limit_rule(setting_key text, subject text)
returns private.rate_limit_rule
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- For the /64s of one /48 together.
  c_times_for_48 constant integer := 10;
  v_limit text := private.setting(rate_limit_rule.setting_key) #>> '{}';
begin
  if v_limit = 'off' then
    return null;
  end if;
  return row(
    rate_limit_rule.setting_key,
    rate_limit_rule.setting_key || ':' || rate_limit_rule.subject,
    split_part(v_limit, '/', 1)::integer * case when rate_limit_rule.subject like '%/48' then c_times_for_48 else 1 end,
    make_interval(secs => split_part(v_limit, '/', 2)::integer)
  )::private.rate_limit_rule;
end
$$;

comment on function private.rate_limit_rule(text, text) is
$$The rule that a limit setting makes for one subject; null while the setting is off.
setting_key: e.g. OTP_SEND_PER_IP. subject: who or what is counted, e.g. the client's address; a /48 has ten times the setting's requests.$$;
