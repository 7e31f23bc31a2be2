-- Which account's cost and scheme a login to an unknown phone takes over (private.decoy_password).
create table private.decoy_key (
  is_one boolean primary key default true constraint decoy_key_is_one check (is_one),
  key bytea not null
);
comment on table private.decoy_key is 'One row: the key by which private.decoy_password chooses accounts. It never leaves the database.';
comment on column private.decoy_key.is_one is 'Limits the table to one row';
comment on column private.decoy_key.key is 'Random: without it nobody can compute which phones have the same account''s decoy';
alter table private.decoy_key enable row level security;
insert into private.decoy_key (key) values (crypto.gen_random_bytes(32));

-- Accounts in an order that has nothing to do with their phones, within the first digits of these.
create index account_decoy on "user".account (left(phone, 4), substr(sha256(uuid_send(id)), 1, 8)) where password_hash is not null;
