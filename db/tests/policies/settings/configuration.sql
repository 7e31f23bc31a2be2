begin;
select plan(17);
select test.clean_slate();

select policies_are('settings', 'configuration', array['the admin manages the configuration'], 'the configuration has this policy and no other');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select key from settings.configuration', '42501', null, 'a user sees no setting');
select throws_ok('update settings.configuration set value = ''10''', '42501', null, 'and changes none');
reset role;
select test.become('latchkey_guest');
select throws_ok('select key from settings.configuration', '42501', null, 'a guest sees none');
select throws_ok('update settings.configuration set value = ''10''', '42501', null, 'and changes none');
reset role;
select throws_ok('set local role ' || role || '; select key from settings.configuration', '42501', null, description)
from (values ('latchkey_server', 'the server reads none but through its functions'), ('latchkey_worker', 'nor does the worker'),
  ('latchkey_graphql', 'nor GraphQL''s login before it has become somebody')) r (role, description);

select test.become('latchkey_admin');
select results_eq('select key from settings.configuration order by key', array['OTP_PROVIDER', 'PASSWORD_HASH_COST'], 'the admin sees every setting');
select lives_ok($$insert into settings.configuration (key, value) values ('OTP_LENGTH', '8')$$, 'writes any');
select lives_ok($$update settings.configuration set value = '7' where key = 'OTP_LENGTH'$$, 'changes any');
select throws_ok($$update settings.configuration set updated_at = now()$$, '42501', null, 'but not the moment of the change');
select throws_ok($$update settings.configuration set key = 'OTP_TTL_SECONDS'$$, '42501', null, 'nor a key');
select lives_ok($$delete from settings.configuration where key = 'OTP_LENGTH'$$, 'and deletes any, which brings its default back');
select throws_ok('select key from private.setting_definition', '42501', null, 'the admin cannot reach what settings there are');
reset role;
select is(private.setting('OTP_LENGTH'), '6', 'the default is in force again');
select results_eq('select key from settings.configuration order by key', array['OTP_PROVIDER', 'PASSWORD_HASH_COST'], 'the others stayed');

select * from finish();
rollback;
