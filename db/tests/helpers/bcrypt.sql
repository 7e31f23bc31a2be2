-- The work that bcrypt does. Functions that must take equally long are compared by it, because measured times vary.

create or replace function test.watch_bcrypt()
returns void
language plpgsql
as $watch$
begin
  create table test.bcrypt_work (rounds integer not null);
  grant insert on test.bcrypt_work to latchkey_owner;
  grant usage on schema test to latchkey_owner;
  create function test.real_crypt(text, text) returns text immutable strict language c as '$libdir/pgcrypto', 'pg_crypt';
  create or replace function crypto.crypt(text, text) returns text volatile strict language plpgsql as $spy$
  begin
    insert into test.bcrypt_work values (1 << substr($2, 5, 2)::integer);
    return test.real_crypt($1, $2);
  end
  $spy$;
end
$watch$;
comment on function test.watch_bcrypt() is
$$Replaces crypto.crypt until the rollback by a function that also records the bcrypt rounds in test.bcrypt_work.$$;

create or replace function test.bcrypt_rounds()
returns bigint
language plpgsql
as $$
declare
  v_rounds bigint;
begin
  select coalesce(sum(w.rounds), 0) into v_rounds from test.bcrypt_work w;
  truncate test.bcrypt_work;
  return v_rounds;
end
$$;
comment on function test.bcrypt_rounds() is $$The bcrypt rounds since the previous call.$$;
