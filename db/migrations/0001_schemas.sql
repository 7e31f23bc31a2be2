-- Functions and types are not granted to PUBLIC by default; a function's own file grants what it needs.
-- Not limited to a schema: "in schema" could only add rights to these defaults.
alter default privileges revoke execute on functions from public;

create schema "user";
comment on schema "user" is 'Accounts and their sessions. Exposed by GraphQL under row-level security.';

create schema platform;
comment on schema platform is
  'One-time passwords, rate limits and decisions about sends. Exposed by GraphQL under row-level security.';

create schema fraud;
comment on schema fraud is
  'The fraud rules as functions of a setting and the facts of one send, and their replay over recorded decisions (fraud.what_if).';

create schema settings;
comment on schema settings is 'What an operator may change while the service runs. Exposed by GraphQL to the admin.';

create schema api;
comment on schema api is 'One function per REST route: all that latchkey_server may do.';

create schema delivery;
comment on schema delivery is 'The entry points of the worker: all that latchkey_worker may do, apart from the queue.';

create schema private;
comment on schema private is 'The rules as helper functions, and tables that only the owner reads.';

create schema crypto;
comment on schema crypto is 'The extension pgcrypto, in a schema of its own so that only functions of the owner reach it.';

-- The runner has made it.
comment on schema migration is 'What db:migrate has applied. Only the migrator writes it.';

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
grant usage on schema "user", platform to latchkey_guest, latchkey_user, latchkey_admin;
grant usage on schema settings, fraud to latchkey_admin;
