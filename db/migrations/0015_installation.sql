create table private.installation (
  is_one boolean primary key default true constraint installation_is_one check (is_one),
  pepper_fingerprint bytea not null
);
comment on table private.installation is
  'One row: what the processes of this installation must share, so that a wrong secret stops a start instead of locking everybody out.';
comment on column private.installation.is_one is 'Keeps the table at one row';
comment on column private.installation.pepper_fingerprint is
  'Derived from HASH_PEPPER (HKDF); nothing can be computed back from it. Delete the row to go on with another pepper: all passwords must then be reset';
alter table private.installation enable row level security;
