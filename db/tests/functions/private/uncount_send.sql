begin;
select plan(2);
select test.clean_slate();
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now() - interval '1 minute', now());
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550102', now());
select private.uncount_send('+12025550101', now());
select is((select hits from platform.rate_limit where key like '%0101'), array[now() - interval '1 minute'], 'the send of that moment is given back');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550102'), 1, 'other phones keep theirs');

select * from finish();
rollback;
