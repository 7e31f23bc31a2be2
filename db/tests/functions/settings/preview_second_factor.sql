begin;
select plan(9);
select test.clean_slate();
create function pg_temp.preview(value text default 'required') returns text language sql as $$
  select concat_ws(' ', p.accounts, p.affected, p.live_sessions, p.is_complete) from settings.preview_second_factor(value) p $$;
select is(pg_temp.preview(), '0 0 0 t', 'of an empty database everything is zero');
select test.insert_sessions(test.make_account('+12025550101'), 3), test.insert_sessions(test.make_account('+12025550102'), 2), test.make_account('+12025550103');
select is(pg_temp.preview(), '3 3 5 t', 'accounts without a second factor are counted, with their live sessions');
select test.make_factor(a.id, false) from "user".account a where a.phone = '+12025550101';
select is(pg_temp.preview(), '3 3 5 t', 'one that was not confirmed is none');
update "user".factor set confirmed_at = now();
select is(pg_temp.preview(), '3 2 2 t', 'required does not concern an account with one, or its sessions');
select is(pg_temp.preview('off'), '3 1 3 t', 'off concerns accounts with one');
update "user".session set revoked_at = now() where id = (select min(s.id::text)::uuid from "user".session s join "user".account a on a.id = s.user_id where a.phone = '+12025550102');
select is(pg_temp.preview(), '3 2 1 t', 'a session that was revoked is not live');
update "user".account set session_epoch = session_epoch + 1 where phone = '+12025550102';
select is(pg_temp.preview(), '3 2 0 t', 'nor are those that ended with all others of their user');
select is((test.call_as('latchkey_admin', $$settings.preview_second_factor('required')$$, null::settings.second_factor_preview)).accounts, 3, 'the admin may read it');
set local session_replication_role = replica;
insert into "user".account (id, phone, phone_verified_at) select private.new_id(), '+1212' || 1000000 + n, now() from generate_series(1, 50000) n;
set local session_replication_role = origin;
select is(pg_temp.preview(), '50000 50000 0 f', 'it looks at the latest 50,000 accounts, and says that they are not all');

select * from finish();
rollback;
