begin;
select plan(7);
create function pg_temp.named(id text, key text) returns bytea language sql as $$ select decode(repeat(id, 8) || repeat(key, 32), 'hex') $$;
create function pg_temp.hash(id text) returns bytea language sql as $$ select decode(repeat('00', 32) || repeat(id, 8), 'hex') $$;
select is(private.code_key_for(pg_temp.named('aa', '01') || pg_temp.named('bb', '02'), pg_temp.hash('bb')), pg_temp.named('bb', '02'),
  'a hash of the previous pepper has the previous key');
select is(private.code_key_for(pg_temp.named('aa', '01') || pg_temp.named('bb', '02'), pg_temp.hash('aa')), pg_temp.named('aa', '01') || pg_temp.named('bb', '02'),
  'one of the current pepper has the key that private.hash_code uses anyway');
select is(private.code_key_for(pg_temp.named('aa', '01') || pg_temp.named('bb', '02'), pg_temp.hash('cc')), pg_temp.named('aa', '01') || pg_temp.named('bb', '02'),
  'so has one of a pepper that is not named');
select is(private.code_key_for(pg_temp.named('aa', '01') || pg_temp.named('bb', '02'), null), pg_temp.named('aa', '01') || pg_temp.named('bb', '02'),
  'and no hash');
select is(private.code_key_for(pg_temp.named('aa', '01'), pg_temp.hash('bb')), pg_temp.named('aa', '01'), 'one key is the key of all');
select is(private.code_key_for(decode(repeat('42', 32), 'hex'), pg_temp.hash('aa')), decode(repeat('42', 32), 'hex'), 'one without a name, too');
select is(private.code_key_for(null, pg_temp.hash('aa')), null, 'no key is none');
select * from finish();
rollback;
