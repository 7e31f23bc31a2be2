begin;
select plan(2);
select test.clean_slate();
select is((private.email_error()).details ->> 'reason', 'not_enabled', 'email is not enabled by default');
select test.set_setting('EMAIL_DELIVERY', '"on"');
select is(private.email_error(), null, 'it is while EMAIL_DELIVERY is on');
select * from finish();
rollback;
