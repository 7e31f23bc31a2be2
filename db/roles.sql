-- The six roles, made once per cluster (roles are cluster-wide: one installation per cluster).
-- Runs before the numbered migrations, as the migrator: owner of the database, CREATEROLE, no superuser.
-- Log-in passwords are not here: db/login_roles.ts sends them as SCRAM verifiers, so that no log holds one.
do $$
declare
  v_role text;
begin
  foreach v_role in array array['latchkey_owner', 'latchkey_guest', 'latchkey_user', 'latchkey_admin'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
  foreach v_role in array array['latchkey_server', 'latchkey_graphql', 'latchkey_worker'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I login noinherit', v_role);
      -- Set on the role, not by the client: a transaction pooler forwards no start-up options.
      execute format('alter role %I set statement_timeout = %L', v_role, '10s');
      execute format('alter role %I set lock_timeout = %L', v_role, '5s');
      execute format('alter role %I set idle_in_transaction_session_timeout = %L', v_role, '10s');
    end if;
    execute format('grant connect on database %I to %I', current_database(), v_role);
  end loop;

  -- PostgreSQL 16 and later give a role's creator the right to administer it, not to become it.
  execute format('grant latchkey_owner to %I', current_user);
  execute format('grant create on database %I to latchkey_owner', current_database());
  grant latchkey_guest, latchkey_user, latchkey_admin to latchkey_graphql;
end
$$;
