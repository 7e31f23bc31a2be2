begin;
select plan(4);
select is((private.challenge_error(null)).code, 'INVALID_OTP', 'no challenge is answered as a wrong code');
select is(private.challenge_error(c), null, 'an answer is compared')
from jsonb_populate_record(null::private.factor_challenge, jsonb_build_object('id', gen_random_uuid(), 'attempts', 4)) c;
select is((private.challenge_error(c)).code, 'MAX_ATTEMPTS_REACHED', 'until five were wrong')
from jsonb_populate_record(null::private.factor_challenge, jsonb_build_object('id', gen_random_uuid(), 'attempts', 5)) c;
select is((private.challenge_error(c)).code, 'INVALID_OTP', 'whatever was counted of one that is over')
from jsonb_populate_record(null::private.factor_challenge, '{"attempts": 5}') c;

select * from finish();
rollback;
