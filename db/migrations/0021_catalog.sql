-- Generalised: rights are one part of what a migration makes.
drop table private.granted_right;

create table private.catalog_line (
  line text collate "C" primary key,
  is_right boolean not null,
  is_of_files boolean not null,
  statement text,
  fingerprint text not null,
  server_version integer not null
);
comment on table private.catalog_line is
  'What private.catalog_in_force listed at the end of the last migration that made it: owners, rights, policies, tables'' columns, constraints, '
  'indexes, triggers, views and functions. db:migrate compares them with the catalog, repairs what is lost, and names the rest. '
  'Delete the line of what you took away or changed on purpose.';
comment on column private.catalog_line.line is 'One object or right, in words';
comment on column private.catalog_line.is_right is
  'Owners, rights, row-level security and policies: without one a process does not start';
comment on column private.catalog_line.is_of_files is 'Whether a file below db/functions or db/policies makes it: applying them repairs it';
comment on column private.catalog_line.statement is 'Repairs it, as latchkey_owner; null: a file does, or nothing can';
comment on column private.catalog_line.fingerprint is 'MD5 of its definition, which tells whether it was changed';
comment on column private.catalog_line.server_version is
  'PostgreSQL''s version then: another one may print the same definition differently, so the fingerprint is compared only with its own';
alter table private.catalog_line enable row level security;
