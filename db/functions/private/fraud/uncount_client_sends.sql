create or replace function private.uncount_client_sends(decisions platform.send_decision[])
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into private.send_count as c (subject, period, starts_at, shard, sends, verified)
  select 'client:' || d.client, p.period, p.starts_at, 0, -count(*), -count(d.verified_at)
  from unnest(uncount_client_sends.decisions) d,
    lateral (values ('hour', date_trunc('hour', d.at, 'UTC')), ('day', date_trunc('day', d.at, 'UTC'))) p (period, starts_at)
  group by d.client, p.period, p.starts_at
  -- Locked in the order of private.count_send.
  order by ('client:' || d.client) collate "C", p.period collate "C", p.starts_at
  on conflict on constraint send_count_pkey
    do update set sends = c.sends + excluded.sends, verified = c.verified + excluded.verified;
  delete from private.send_count c
  where c.subject in (select 'client:' || d.client from unnest(uncount_client_sends.decisions) d) and c.sends <= 0;
end
$$;

comment on function private.uncount_client_sends(platform.send_decision[]) is
$$Takes sends out of the counters of their client addresses. What an address sent to other phones stays counted: deleting an
account must not end the block of a fraud rule. decisions: as private.erase_sends returns them. Call it as a transaction's last lock.$$;
