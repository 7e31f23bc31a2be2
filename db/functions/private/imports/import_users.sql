create or replace function private.import_users(users private.imported_user[], cost integer)
returns setof private.import_outcome
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user private.imported_user;
  v_hashes text[] := array[]::text[];
begin
  -- Before the constraints: PostgreSQL's own errors have the row in their detail, which goes to its log.
  if exists (select from unnest(import_users.users) u where not private.is_e164(u.phone) or not private.is_email(u.email)) then
    raise exception 'a phone is not E.164, or an email not valid' using errcode = 'check_violation';
  end if;
  -- bcrypt runs before anything is locked.
  foreach v_user in array import_users.users loop
    v_hashes := v_hashes || private.hash_imported_password(v_user, import_users.cost);
  end loop;
  -- So that no registration of these phones is confirmed meanwhile. A phone without one needs no lock: its new account
  -- decides.
  perform private.lock_verification_state('PHONE', p.phone)
  from (
    select distinct r.phone from unnest(import_users.users) u join private.pending_registration r on r.phone = u.phone order by r.phone
  ) p;
  for v_position in 1 .. cardinality(import_users.users) loop
    return next private.import_user(import_users.users[v_position], v_hashes[v_position]);
  end loop;
end
$$;

comment on function private.import_users(private.imported_user[], integer) is
$$npm run import: makes the accounts of a batch of users, all or none. users: in the order of their phones, so that batches at the same
time do not deadlock. cost: as private.hash_imported_password. Result: a row for each of users, in their order.$$;
