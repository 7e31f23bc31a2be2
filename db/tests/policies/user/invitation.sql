begin;
select plan(7);
select test.clean_slate();
select policies_are('user', 'invitation', array['the admin sees every invitation', 'the admin withdraws any invitation'],
  '"user".invitation has exactly the listed policies');
select "user".invite('+12025550101');
create temp table actor on commit drop as select test.make_account('+12025550102') as bob;
grant select on actor to public;

select test.become('latchkey_user', bob) from actor;
select throws_ok('select from "user".invitation', '42501', null, 'a user sees no invitation');
reset role;
select test.become('latchkey_guest');
select throws_ok('select from "user".invitation', '42501', null, 'a guest sees no invitation');
reset role;
select test.become('latchkey_admin');
select is((select phone from "user".invitation), '+12025550101', 'the admin sees invitations');
select throws_ok($$insert into "user".invitation (phone, valid_until) values ('+12025550103', now())$$, '42501', null,
  'the admin makes one by invite alone, which checks it');
select throws_ok($$update "user".invitation set valid_until = 'infinity'$$, '42501', null, 'the admin changes one by invite alone');
select lives_ok('delete from "user".invitation', 'the admin can withdraw an invitation');
reset role;
select * from finish();
rollback;
