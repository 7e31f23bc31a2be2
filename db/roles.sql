-- The nine roles, made once per cluster (roles are cluster-wide: one installation per cluster). A second login role of
-- a program, such as latchkey_server_b, is made by db/roles/roles.ts where an address names it; here it gets the rights and
-- settings of the first. Runs before the numbered migrations, as the migrator: owner of the database, CREATEROLE, no
-- superuser. Passwords are not here: db/roles/login_roles.ts sends them as SCRAM verifiers, so that no log holds one.
do $$
declare
  v_settings text[];
  v_role text;
  v_first text;
  v_setting text;
begin
  foreach v_role in array array[
    'latchkey_owner', 'latchkey_guest', 'latchkey_user', 'latchkey_admin', 'latchkey_application', 'latchkey_hook'
  ] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I nologin', v_role);
    end if;
  end loop;
  foreach v_role in array array['latchkey_server', 'latchkey_graphql', 'latchkey_worker'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
      execute format('create role %I login noinherit', v_role);
    end if;
  end loop;
  foreach v_role in array array(
    select r.rolname from pg_catalog.pg_roles r where r.rolname ~ '^latchkey_(server|graphql|worker)(_b)?$' order by r.rolname
  ) loop
    v_first := regexp_replace(v_role, '_b$', '');
    if (select r.rolinherit from pg_catalog.pg_roles r where r.rolname = v_role) then
      execute format('alter role %I noinherit', v_role);
    end if;
    v_settings := array[
      -- An event at repeatable read fails where another transaction has written to its lane.
      'default_transaction_isolation=read committed',
      'idle_in_transaction_session_timeout=10s',
      -- JIT compilation takes longer than any statement of ours, and a GraphQL client could write queries that are
      -- compiled at each call.
      'jit=off',
      -- A user's mutation may hold a row for one second, so the server waits a little longer.
      case v_first when 'latchkey_server' then 'lock_timeout=2s' else 'lock_timeout=5s' end,
      -- No parallel workers: a guest's query must not take the cores that other requests need.
      'max_parallel_workers_per_gather=0',
      'statement_timeout=10s'
    ];
    -- A session of the second role runs as the first, which has the rights.
    if v_role <> v_first then
      if not pg_has_role(v_role, v_first, 'member') then
        execute format('grant %I to %I', v_first, v_role);
      end if;
      v_settings := v_settings || ('role=' || v_first);
    end if;
    -- Set on the role, not by the client: a transaction pooler forwards no start-up options. A role can change its own
    -- settings, so this undoes what a compromised process may have changed for all databases or for this one.
    if (
      select array_agg(c.line order by c.line)
      from pg_catalog.pg_db_role_setting s
      cross join lateral unnest(s.setconfig) c (line)
      where s.setrole = v_role::regrole
        and s.setdatabase in (0, (select d.oid from pg_catalog.pg_database d where d.datname = current_database()))
        and c.line not like 'log_min_error_statement=%'
    ) is distinct from (select array_agg(s.line order by s.line) from unnest(v_settings) s (line)) then
      execute format('alter role %I in database %I reset all', v_role, current_database());
      execute format('alter role %I reset all', v_role);
      foreach v_setting in array v_settings loop
        execute format('alter role %I set %s = %L', v_role, split_part(v_setting, '=', 1), split_part(v_setting, '=', 2));
      end loop;
    end if;
    execute format('grant connect on database %I to %I', current_database(), v_role);
  end loop;

  -- Grants only what is missing: after an upgrade to PostgreSQL 16 or later the migrator may lack the right to grant
  -- what it granted before. Since 16 the creator of a role may administer it but not become it.
  if not pg_has_role(
    current_user, 'latchkey_owner', case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end
  ) then
    execute format('grant latchkey_owner to %I', current_user);
  end if;
  execute format('grant create on database %I to latchkey_owner', current_database());
  -- A function that latchkey_hook owns runs the hooks, and the owner makes it.
  if not pg_has_role('latchkey_owner', 'latchkey_hook', 'usage') then
    grant latchkey_hook to latchkey_owner;
  end if;
  -- By PostgreSQL's defaults every role of the cluster may connect, and fill the disk with temporary tables.
  execute format('revoke connect, temporary on database %I from public', current_database());
  foreach v_role in array array['latchkey_guest', 'latchkey_user', 'latchkey_admin'] loop
    if not pg_has_role('latchkey_graphql', v_role, 'member') then
      execute format('grant %I to latchkey_graphql', v_role);
    elsif pg_has_role('latchkey_graphql', v_role, 'usage') then
      -- Since PostgreSQL 16 each membership has an INHERIT of its own.
      execute format('grant %I to latchkey_graphql with inherit false', v_role);
    end if;
  end loop;
end
$$;

-- What a role must not have is named, and not taken away: only its grantor or a superuser can.
do $$
declare
  v_line text;
begin
  for v_line in
    select format('%s must not have the attribute %s. As superuser: alter role %I no%s', r.rolname, a.name, r.rolname, a.name)
    from pg_catalog.pg_roles r
    cross join lateral (values
      ('superuser', r.rolsuper), ('createrole', r.rolcreaterole), ('createdb', r.rolcreatedb), ('replication', r.rolreplication),
      ('bypassrls', r.rolbypassrls),
      ('login', r.rolcanlogin and r.rolname !~ '^latchkey_(server|graphql|worker)(_b)?$')
    ) a (name, is_set)
    where a.is_set and r.rolname ~ '^latchkey_(owner|guest|user|admin|application|hook|(server|graphql|worker)(_b)?)$'
    union all
    select format('%s must not be a member of %s. As superuser: revoke %I from %I granted by %I', m.rolname, g.rolname, g.rolname, m.rolname, b.rolname)
    from pg_catalog.pg_auth_members a
    join pg_catalog.pg_roles m on m.oid = a.member
    join pg_catalog.pg_roles g on g.oid = a.roleid
    join pg_catalog.pg_roles b on b.oid = a.grantor
    where m.rolname ~ '^latchkey_(owner|guest|user|admin|application|hook|(server|graphql|worker)(_b)?)$' and m.rolname <> g.rolname || '_b'
      and not (m.rolname = 'latchkey_graphql' and g.rolname in ('latchkey_guest', 'latchkey_user', 'latchkey_admin'))
      and not (m.rolname = 'latchkey_owner' and g.rolname = 'latchkey_hook')
      -- The operator grants latchkey_hook what its hooks need.
      and not (m.rolname = 'latchkey_hook' and (g.rolname !~ '^latchkey_' or g.rolname = 'latchkey_application'))
    order by 1
  loop
    raise warning '%', v_line;
  end loop;
end
$$;

-- A client of GraphQL shapes the text of its statements, so a failing one would let it fill PostgreSQL's log.
-- Only a superuser may grant this parameter; without it the text is bounded by the limits of the request alone.
do $$
declare
  v_role text;
begin
  for v_role in
    select r.rolname from pg_catalog.pg_roles r
    where r.rolname in ('latchkey_graphql', 'latchkey_graphql_b')
      and has_parameter_privilege(current_user, 'log_min_error_statement', 'set')
      and not exists (
        select from pg_catalog.pg_db_role_setting s
        where s.setrole = r.oid and s.setdatabase = 0 and 'log_min_error_statement=panic' = any (s.setconfig)
      )
    order by r.rolname
  loop
    execute format('alter role %I set log_min_error_statement = %L', v_role, 'panic');
  end loop;
end
$$;
