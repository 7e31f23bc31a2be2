begin;
select plan(6);
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

select * from finish();
rollback;
