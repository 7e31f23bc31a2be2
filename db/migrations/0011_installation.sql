-- A migration writes the row before a process has stored the pepper's fingerprint.
create table private.installation (
  is_one boolean primary key default true constraint installation_is_one check (is_one),
  pepper_fingerprint bytea,
  production boolean
);
comment on table private.installation is
  'One row: what the processes of this installation must share, so that a wrong secret stops a start instead of locking every user out.';
comment on column private.installation.is_one is 'Limits the table to one row';
comment on column private.installation.pepper_fingerprint is
  'Derived from HASH_PEPPER (HKDF); the pepper cannot be computed from it. Set it to null to continue with another pepper: all passwords must then be reset';
comment on column private.installation.production is
  'Whether the last migration ran with NODE_ENV=production; null: it was of a version that did not record it';
alter table private.installation enable row level security;

create table private.granted_right (
  line text collate "C" primary key
);
comment on table private.granted_right is
  'What private.rights_in_force listed at the end of the last migration: owners, grants to our roles, and policies. '
  'A restore into a cluster that lacks the roles loses all of that; processes and migrations then refuse to start. '
  'Delete the line of a right that you took away on purpose.';
comment on column private.granted_right.line is 'One right, in words';
alter table private.granted_right enable row level security;
