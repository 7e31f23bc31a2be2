begin;
select plan(8);
-- RFC 6238, appendix B, with the last six of its eight digits.
select is(private.totp_code('12345678901234567890'::bytea, seconds / 30), code, 'the code of RFC 6238 at second ' || seconds)
from (values (59::bigint, '287082'), (1111111109, '081804'), (1111111111, '050471'), (1234567890, '005924'), (2000000000, '279037'),
  (20000000000, '353130')) v (seconds, code);
-- RFC 4226, appendix D.
select is(private.totp_code('12345678901234567890'::bytea, 0), '755224', 'the code of RFC 4226 for counter 0');
select is(private.totp_code('12345678901234567890'::bytea, 9), '520489', 'the code of RFC 4226 for counter 9');

select * from finish();
rollback;
