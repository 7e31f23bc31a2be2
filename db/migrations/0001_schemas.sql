-- What a function may do is granted in its own file, never by default.
-- The global form is the one that works: with "in schema" it has no effect.
alter default privileges revoke execute on functions from public;

create schema "user";
comment on schema "user" is 'Accounts and their sessions. Exposed by GraphQL under row-level security.';

create schema platform;
comment on schema platform is 'One-time passwords and rate limits. Exposed by GraphQL under row-level security.';

create schema settings;
comment on schema settings is 'What an operator may change while the service runs. Exposed by GraphQL to the admin.';

create schema api;
comment on schema api is 'One function per REST route: all that latchkey_server may do.';

create schema delivery;
comment on schema delivery is 'The worker''s entry points: all that latchkey_worker may do, the queue aside.';

create schema private;
comment on schema private is 'The rules as helper functions, and tables that nobody but the owner reads.';

create schema crypto;
comment on schema crypto is 'The extension pgcrypto, apart, so that nobody reaches it but the functions here.';

create extension if not exists pgcrypto with schema crypto;

do $$
declare
  v_schema text;
begin
  select e.extnamespace::regnamespace::text into v_schema from pg_catalog.pg_extension e where e.extname = 'pgcrypto';
  if v_schema <> 'crypto' then
    raise exception 'pgcrypto is installed in schema %, and Latchkey needs it in schema crypto', v_schema
      using hint = 'As its owner run: alter extension pgcrypto set schema crypto';
  end if;
end
$$;

grant usage on schema api to latchkey_server;
grant usage on schema delivery to latchkey_worker;
