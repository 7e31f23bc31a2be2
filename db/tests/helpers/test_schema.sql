-- The schema of the fixtures. A superuser applies the files of this folder before the tests; applying them again
-- changes nothing.
create schema if not exists test;
comment on schema test is 'Fixtures of the pgTAP tests. Never part of an installation.';
grant usage on schema test, tap to latchkey_server, latchkey_worker, latchkey_graphql, latchkey_guest, latchkey_user, latchkey_admin,
  latchkey_application, latchkey_hook;
