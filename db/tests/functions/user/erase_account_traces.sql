begin;
select plan(3);
select test.clean_slate(), test.make_account('+12025550101');
select test.send_code('+12025550101', 'LOGIN'), test.store_email_otp('someone@example.org', 'LOGIN');
select test.become('latchkey_admin');
delete from "user".account;
reset role;
select is((select count(*)::integer from platform.otp_transaction), 0, 'what holds an account''s phone or email is deleted whichever way the account is');

select test.set_setting('SESSIONS_PER_USER', '"off"');
select test.make_account('+12025550101');
select test.insert_sessions(a.id, 5000) from "user".account a;
select test.become('latchkey_admin');
select throws_like('delete from "user".account', '%call erase_account%', 'an account with thousands of sessions is not deleted in one transaction');
reset role;
select is((select count(*)::integer from "user".session), 5000, 'and keeps them');
select * from finish();
rollback;
