begin;
select plan(12);
select test.clean_slate();
update private.installation set production = true;
select test.subscribe('crm', 'session.opened');
create function pg_temp.refused(change text) returns setof text language sql
as $$ select throws_like(change, 'in production only the migrator %', 'in production the admin does not: ' || change) $$;

set local role latchkey_admin;
select pg_temp.refused('delete from settings.event_subscription');
select pg_temp.refused('update settings.event_subscription set enabled = false');
select pg_temp.refused($$update settings.event_subscription set types = '{otp.sent}'$$);
select pg_temp.refused($$update settings.event_subscription set url = 'https://hooks.example.com/other'$$);
select pg_temp.refused($$update settings.event_subscription set secret_name = 'other'$$);
select lives_ok($$update settings.event_subscription set types = types || '{otp.sent}'::text[]$$, 'but gives it more types');
select lives_ok($$insert into settings.event_subscription (id, url, types, secret_name, enabled) values ('b', 'https://b.example', '{otp.sent}', 'b', false)$$,
  'adds one');
select lives_ok($$update settings.event_subscription set enabled = true where id = 'b'$$, 'and turns it on');
select pg_temp.refused($$insert into settings.event_subscription (id, url, types, secret_name) values ('b', 'https://c.example', '{otp.sent}', 'b')
  on conflict (id) do update set url = excluded.url$$);
reset role;
set local role latchkey_owner;
select lives_ok($$update settings.event_subscription set enabled = false where id = 'b'$$, 'the migrator turns it off');
select lives_ok($$delete from settings.event_subscription where id = 'b'$$, 'and deletes it');
reset role;
update private.installation set production = false;
set local role latchkey_admin;
select lives_ok('delete from settings.event_subscription', 'elsewhere the admin does');
reset role;

select * from finish();
rollback;
