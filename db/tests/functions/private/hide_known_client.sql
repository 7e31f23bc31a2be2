begin;
select plan(5);
do $$ begin
  perform test.clean_slate();
  insert into private.verification_state values ('PHONE', '+12025550101', 100, now(), 0, null);
end $$;
create function pg_temp.hidden(phone text, code text, by_known_client boolean) returns text language sql
as $$ select private.hide_known_client(row(code, '{"policy": "P"}', null, null, null)::api.otp_answer, 'PHONE', phone, by_known_client)::text $$;
select is(pg_temp.hidden('+12025550101', 'INVALID_OTP', true), '(MAX_ATTEMPTS_REACHED,,,,)', 'while strangers are blocked a known client''s wrong code is answered as theirs');
select is(pg_temp.hidden('+12025550101', 'RATE_LIMIT_EXCEEDED', true), '(MAX_ATTEMPTS_REACHED,,,,)', 'also over a limit');
select is(pg_temp.hidden('+12025550101', 'OTP_EXPIRED', true), '(OTP_EXPIRED,"{""policy"": ""P""}",,,)', 'what only the right code reaches stays');
select is(pg_temp.hidden('+12025550102', 'INVALID_OTP', true), '(INVALID_OTP,"{""policy"": ""P""}",,,)', 'as does every answer where strangers are not blocked');
select is(pg_temp.hidden('+12025550101', null, true), '(,"{""policy"": ""P""}",,,)', 'and the right code is right');

select * from finish();
rollback;
