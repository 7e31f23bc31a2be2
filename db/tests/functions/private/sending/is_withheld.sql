begin;
select plan(12);
select test.clean_slate();
create function pg_temp.withheld(phone text, purpose text default 'LOGIN', type text default 'PHONE') returns boolean language sql
as $$ select private.is_withheld(test.send_request(phone, type, purpose)) $$;
select test.make_account(phone) from unnest(array['+12025550101', '+12025550103', '+12025550104']) phone;
select "user".invite('+12025550102');
select is(pg_temp.withheld('+12025550109'), false, 'open: nothing is withheld');
select test.set_setting('REGISTRATION', '"invited"');
select is(pg_temp.withheld('+12025550109', purpose), true, purpose || ' is withheld from a phone without an account and invitation')
from unnest(array['LOGIN', 'SIGNUP']) purpose;
select is(pg_temp.withheld('+12025550109', purpose), false, purpose || ' is not') from unnest(array['PASSWORD_RESET', 'PHONE_CHANGE', 'TEST']) purpose;
select is(pg_temp.withheld('ada@example.com', type => 'EMAIL'), false, 'nor is an email');
select is(pg_temp.withheld('+12025550101'), false, 'a phone with an account is sent to');
select is(pg_temp.withheld('+12025550102'), false, 'an invited phone is sent to');
update "user".account set disabled_at = now(), disabled_reason = 'spam' where phone = '+12025550103';
select is(pg_temp.withheld('+12025550103'), true, 'a disabled account is none');
select test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
update "user".account set last_used_on = current_date - 31 where phone = '+12025550104';
select is(pg_temp.withheld('+12025550104'), true, 'nor is that of a recycled number');
select test.set_setting('REGISTRATION', '"closed"');
select is(pg_temp.withheld('+12025550109'), true, 'closed: withheld, too');
select * from finish();
rollback;
