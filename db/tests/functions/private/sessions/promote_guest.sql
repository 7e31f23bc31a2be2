begin;
select plan(10);
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

select * from finish();
rollback;
