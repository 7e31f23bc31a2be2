begin;
select plan(12);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
create temp table guest on commit drop as select * from test.open_session(null);
create temp table bystander on commit drop as select * from test.open_session(null);

select is((select private.promote_guest(null, alice) from actor), null, 'no guest is no error');
select is_empty('select from platform.guest_promotion', 'without a guest nothing is promoted');
select is((select private.promote_guest(session_id, alice) from guest, actor), null, 'a live guest is promoted');
select is((select row(user_id, promoted_at between now() and clock_timestamp())::text from platform.guest_promotion
    where guest_session_id = (select session_id from guest)), (select row(alice, true)::text from actor),
  'who the guest became, and when, is stored');
select isnt((select s.revoked_at from "user".session s, guest g where s.id = g.session_id), null, 'the guest''s session is revoked');
select is((select s.revoked_at from "user".session s, bystander b where s.id = b.session_id), null, 'another guest''s session is not');
select is((select (private.promote_guest(session_id, alice)).code from guest, actor), 'SESSION_REVOKED', 'a guest is promoted once');
select is((select (private.promote_guest(gen_random_uuid(), alice)).code from actor), 'SESSION_NOT_FOUND', 'an unknown guest is not promoted');
select is((select count(*)::integer from platform.guest_promotion), 1, 'a refused promotion is not stored');
delete from "user".account;
select is_empty('select from platform.guest_promotion', 'a deleted account''s promotions are deleted with it');

create table public.hook_call (guest uuid, becomes uuid);
grant insert on public.hook_call to latchkey_hook;
create function hook.guest_promoted(guest_session_id uuid, user_id uuid) returns void language sql
as $$ insert into public.hook_call values (guest_session_id, user_id) $$;
create temp table later on commit drop as select test.make_account('+12025550102') as bob, (test.open_session(null)).session_id as id;
select is((select private.promote_guest(id, bob) from later), null, 'a later guest is promoted');
select results_eq('select guest, becomes from public.hook_call', 'select id, bob from later', 'the application''s hook hears who became whom');

select * from finish();
rollback;
