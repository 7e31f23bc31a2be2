begin;
select plan(5);
select test.clean_slate();
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now() - interval '1 minute', now());
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550102', now());
select private.uncount_send('+12025550101', 'LOGIN', now());
select is((select hits from platform.rate_limit where key like '%0101'), array[now() - interval '1 minute'], 'the send of that moment is given back');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550102'), 1, 'other phones keep theirs');

select test.insert_hits('OTP_SEND_PER_IDENTIFIER:ada@gmail.com', now()), private.uncount_send('a.da@gmail.com', 'LOGIN', now());
select is(test.hits('OTP_SEND_PER_IDENTIFIER:ada@gmail.com'), 0, 'a send to an email address is given back to its mailbox');

select test.insert_hits(k || ':+12025550103', now()) from unnest(array['OTP_SEND_PER_IDENTIFIER', 'NOTICES_PER_IDENTIFIER']) k;
select private.uncount_send('+12025550103', 'PHONE_CHANGED', now());
select is(test.hits('NOTICES_PER_IDENTIFIER:+12025550103'), 0, 'a notice is given back to the limit of notices');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550103'), 1, 'and to no other');

select * from finish();
rollback;
