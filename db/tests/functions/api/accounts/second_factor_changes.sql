begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;

create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);
select test.make_factor(id) from actor;
select test.set_setting('EMAIL_DELIVERY', '"on"');
create function pg_temp.reason(error api.error) returns text language sql as $$ select error.details ->> 'reason' $$;
-- Everything by which the holder of a stolen token or of the phone alone could take the account
select is(pg_temp.reason(a.error), 'step_up_required', 'changing the password needs the second factor')
from own, api.change_password(session_id, user_id, test.prehash('correct horse'), test.prehash('new'), 20, false, '192.0.2.1') a;
select is(pg_temp.reason(a.error), 'step_up_required', 'asking for another phone does')
from own, api.request_phone_change(session_id, user_id, '+12025550102', test.prehash('correct horse'), '192.0.2.1', test.code_key(), 'US') a;
select is(pg_temp.reason(a.error), 'step_up_required', 'and verifying it')
from own, api.change_phone(session_id, user_id, '+12025550102', '123456', test.code_key(), '192.0.2.1') a;
select is(pg_temp.reason(a.error), 'step_up_required', 'asking for another email does')
from own, api.request_email_change(session_id, user_id, 'ada@example.com', test.prehash('correct horse'), '192.0.2.1', test.code_key()) a;
select is(pg_temp.reason(a.error), 'step_up_required', 'and verifying it')
from own, api.change_email(session_id, user_id, 'ada@example.com', '123456', test.code_key(), '192.0.2.1') a;
select is(pg_temp.reason(a.error), 'step_up_required', 'and removing it')
from own, api.remove_email(session_id, user_id, test.prehash('correct horse'), '192.0.2.1') a;
select is(pg_temp.reason(a.error), 'step_up_required', 'deleting the account does')
from own, api.delete_account(session_id, user_id, test.prehash('correct horse'), null, test.code_key(), '192.0.2.1') a;
select is(pg_temp.reason(a.error), 'step_up_required', 'and exporting it') from own, api.export_account(session_id, user_id) a;

select * from finish();
rollback;
