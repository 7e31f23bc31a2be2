begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create function pg_temp.kinds() returns jsonb language sql as $$ select private.factor_kinds(id) from actor $$;
select test.make_factor(id, false) from actor;
select is(pg_temp.kinds(), null, 'a factor that waits for its first code does not count');
select test.make_passkey(id, '\x01') from actor;
select is(pg_temp.kinds(), '["passkey"]', 'an account with a passkey alone has that kind');
select test.make_factor(id) from actor;
select test.make_factor(id) from actor;
select is(pg_temp.kinds(), '["passkey", "totp"]', 'each kind is named once');
select is(private.factor_kinds(test.make_account('+12025550102')), null, 'and none of another account');

select * from finish();
rollback;
