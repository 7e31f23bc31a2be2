create or replace function private.erase_sends(phones text[], clients text[])
returns platform.send_decision[]
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_prefixes text[] := array(select private.phone_prefix(p) from unnest(erase_sends.phones) p);
  v_decisions platform.send_decision[];
begin
  perform from platform.otp_transaction o where o.identifier = any (erase_sends.phones) order by o.id for update;
  -- A refused send has no one-time password, and those of old ones are deleted: the phone's prefix and the address find the rest.
  v_decisions := array(
    select d
    from platform.send_decision d
    -- Two index scans, not one condition with "or": that would read the whole table.
    where d.id = any (array(
      select e.id from platform.otp_transaction o join platform.send_decision e on e.otp_id = o.id where o.identifier = any (erase_sends.phones)
      union
      select e.id from platform.send_decision e where e.client = any (erase_sends.clients) and e.prefix = any (v_prefixes)
    ))
    order by d.id
    for update
  );
  update platform.send_decision d set client = '' from unnest(v_decisions) e where d.id = e.id;

  -- A send that was given back is not counted any more.
  return array(
    select d
    from unnest(v_decisions) d
    left join platform.otp_transaction o on o.id = d.otp_id
    where d.client <> '' and d.verdict <> 'refused' and (o.id is null or o.counted_at is not null)
  );
end
$$;

comment on function private.erase_sends(text[], text[]) is
$$Takes a person's addresses out of the decisions about its sends. phones: E.164. clients: as limits count them. Call it before the
one-time passwords are deleted, which lead to the decisions. Result: decisions, as they were, that private.send_count still counts.$$;
