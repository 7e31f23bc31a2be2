create or replace function private.erase_sends(account "user".account)
returns platform.send_decision[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otps uuid[] := private.otps_of_account(account);
  v_clients text[] := private.clients_of_account(account);
  v_prefixes text[] := array(select distinct private.phone_prefix(p) from unnest(private.phones_of_account(account)) p);
  v_decisions platform.send_decision[];
begin
  perform from platform.otp_transaction o where o.id = any (v_otps) order by o.id for update;
  -- Limits before decisions: a request for one of these phones holds its limit when it waits for its own account, and a
  -- verification holds an account when it waits for a decision.
  perform from platform.rate_limit l
  where l.key = any (array(
    select k.key || ':' || p.phone
    from unnest(array['NOTICES_PER_IDENTIFIER', 'OTP_SEND_PER_IDENTIFIER']) k (key),
    (select account.phone union all select e.phone from private.earlier_phone e where e.account_id = account.id) p (phone)
  ))
  order by l.key
  for update;
  -- A refused send has no one-time password, and those of old ones are deleted: the phone's prefix and the address find
  -- the rest.
  v_decisions := array(
    select d
    from platform.send_decision d
    -- An index scan for each, not one condition with "or": that would read the whole table.
    where d.id = any (array(
      select s.id from platform.send_decision s where s.otp_id = any (v_otps)
      union
      select s.id from platform.send_decision s where s.client = any (v_clients) and s.prefix = any (v_prefixes)
      union
      -- Phones that other people have too: the sends while this account had them, and those that it asked for. Grouped
      -- by prefix: otherwise a hundred phones of one prefix would read each of its decisions a hundred times.
      select s.id
      from (
        select private.phone_prefix(p.phone) as prefix, max(p.asked_at) as asked_at, max(p.held_until) as held_until,
          min(private.held_since(p)) filter (where p.held_until is not null) as held_since
        from private.earlier_phone p
        where p.account_id = account.id
        group by 1
      ) e
      join platform.send_decision s on s.prefix = e.prefix
        and (s.at > e.held_since and s.at <= e.held_until or s.at <= e.asked_at and s.purpose in ('PHONE_CHANGE', 'PHONE_RECOVERY'))
      where s.client = any (v_clients)
    ))
    order by d.id
    for update
  );
  update platform.send_decision d set client = '' from unnest(v_decisions) e where d.id = e.id;

  -- Sends that were given back are not counted any more.
  return array(
    select d
    from unnest(v_decisions) d
    left join platform.otp_transaction o on o.id = d.otp_id
    where d.client <> '' and d.verdict <> 'refused' and (o.id is null or o.counted_at is not null)
  );
end
$$;

comment on function private.erase_sends("user".account) is
$$Takes a person's addresses out of the decisions about its sends. account: whose person. Call it before the one-time passwords are deleted,
which lead to the decisions. Result: decisions, as they were, that private.send_count still counts.$$;
