begin;
select plan(7);
select is(private.is_e164('+12125550123'), true, 'a plus sign and digits are E.164');
select is(private.is_e164('+1234567'), true, 'seven digits are the fewest');
select is(private.is_e164('+123456'), false, 'six are too few');
select is(private.is_e164('+123456789012345'), true, 'fifteen digits are the most');
select is(private.is_e164('+1234567890123456'), false, 'sixteen are too many');
select is(private.is_e164('+02125550123'), false, 'no country code begins with 0');
select is(private.is_e164(null), false, 'null is no phone');

select * from finish();
rollback;
