begin;
select plan(4);
select test.clean_slate();
create temp table own on commit drop as select test.make_factor(test.make_account('+12025550101')) as id;
create function pg_temp.error(code text, ids uuid[]) returns api.error language sql
as $$ select private.factor_secrets_error(array(select f from "user".factor f), row(code, null, null, ids, case when ids is not null then array['\x00'::bytea] end)::private.factor_attempt) $$;
select is((pg_temp.error('123456', null)).details #> '{factors,0}', jsonb_build_object(
  'factor_id', id, 'user_id', f.user_id, 'sealed_secret', '00', 'pepper_id', 'test'
), 'a code needs the secrets of the apps') from "user".factor f;
select is(pg_temp.error('123456', array[id]), null, 'which are asked for once') from own;
select is(pg_temp.error(null, null), null, 'a recovery code needs none');
delete from "user".factor;
select is((pg_temp.error('123456', null)).details, '{"factors": null}', 'an account without an app is asked for none');

select * from finish();
rollback;
