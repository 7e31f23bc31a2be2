begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
insert into private.recovery_code (user_id, code_hash) select id, private.hash_code(id, '0123456789', test.code_key()) from actor;
create function pg_temp.use(code text) returns boolean language sql
as $$ select private.use_recovery_code(id, test.factor_attempt(null, code)) from actor $$;
select is(pg_temp.use('0123456788'), false, 'a wrong code is refused');
select is(private.use_recovery_code(test.make_account('+12025550102'), test.factor_attempt(null, '0123456789')), false, 'another user''s is, too');
select is(pg_temp.use('oi23456789'), true, 'letters that look like digits, and small ones, are as good');
select isnt(used_at, null, 'it is used up') from private.recovery_code;
select is(pg_temp.use('0123456789'), false, 'a used one is refused');
select is(pg_temp.use(null), false, 'none is refused');

-- While the pepper is rotated.
create function pg_temp.keys(ids text[]) returns bytea language sql
as $$ select string_agg(decode(repeat(id, 40), 'hex'), '' order by n) from unnest(ids) with ordinality i (id, n) $$;
insert into private.recovery_code (user_id, code_hash) select id, private.hash_code(id, '0000000000', pg_temp.keys('{aa}')) from actor;
create function pg_temp.use_under(ids text[]) returns boolean language sql
as $$ select private.use_recovery_code(id, row(null, '0000000000', pg_temp.keys(ids), null, null)::private.factor_attempt) from actor $$;
select is(pg_temp.use_under('{bb}'), false, 'one that was made under a pepper that was dropped is void');
select is(pg_temp.use_under('{bb,aa}'), true, 'one of the previous pepper is as good as one of the current');

select * from finish();
rollback;
