create or replace function private.client_rules(setting_key text, client text)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules private.rate_limit_rule[] := array[private.rate_limit_rule(client_rules.setting_key, client_rules.client)];
begin
  if client_rules.client like '%/64' then
    -- Providers give a subscriber up to a /48, which has 65536 networks of this size to go on from.
    v_rules := v_rules || private.rate_limit_rule(client_rules.setting_key, network(set_masklen(client_rules.client::inet, 48))::text);
  end if;
  return v_rules;
end
$$;

comment on function private.client_rules(text, text) is
$$The rules that a limit setting makes for a client: that of its address, and where this is an IPv6 /64, that of the /48 around it. The only place
that makes rules of clients. setting_key: e.g. OTP_SEND_PER_IP. client: address as limits count it.$$;
