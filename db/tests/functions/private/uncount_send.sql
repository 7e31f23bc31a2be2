begin;
select plan(3);
select test.clean_slate();
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now() - interval '1 minute', now());
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550102', now());
select private.uncount_send('+12025550101', now());
select is((select hits from platform.rate_limit where key like '%0101'), array[now() - interval '1 minute'], 'the send of that moment is given back');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550102'), 1, 'other phones keep theirs');

select test.insert_hits('OTP_SEND_PER_IDENTIFIER:ada@gmail.com', now()), private.uncount_send('a.da@gmail.com', now());
select is(test.hits('OTP_SEND_PER_IDENTIFIER:ada@gmail.com'), 0, 'a send to an email address is given back to its mailbox');

select * from finish();
rollback;
