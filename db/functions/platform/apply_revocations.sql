create or replace function platform.apply_revocations(session_ids uuid[])
returns bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid;
  v_revoked bigint := 0::bigint;
begin
  for v_id in
    select s.id from "user".session s
    where s.id = any (apply_revocations.session_ids) and s.revoked_at is null
    order by s.id
    for no key update
  loop
    perform private.revoke_session(v_id, 'before_restore');
    v_revoked := v_revoked + 1;
  end loop;
  return v_revoked;
end
$$;

comment on function platform.apply_revocations(uuid[]) is
$$Revokes sessions again that were revoked after the moment of a restored backup: the events session.revoked and session.reuse_detected name
them.
For the migrator. session_ids: any; one that does not exist or is revoked already is passed over. Result: how many it revoked.$$;
