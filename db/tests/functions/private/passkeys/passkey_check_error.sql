begin;
select plan(6);
create function pg_temp.asked(challenge private.factor_challenge, public_key bytea, is_signed boolean default null) returns api.error language sql
as $$ select private.passkey_check_error('get', challenge, public_key, is_signed) $$;
create temp table made on commit drop as
select row(null, 'login_passkey', null, null, null, null, '\xfbff', 0, now(), now(), null)::private.factor_challenge as c;
select is((pg_temp.asked(c, '\x0102')).code, 'PASSKEY_CHECK_REQUIRED', 'the server is asked for the verdict') from made;
select is((pg_temp.asked(c, '\x0102')).details, '{"ceremony": "get", "challenge": "-_8", "public_key": "0102"}', 'with what it needs') from made;
select is((pg_temp.asked(null, null)).details - 'challenge', '{"ceremony": "get", "public_key": null}', 'also where there is nothing to verify');
select is(count(distinct (pg_temp.asked(null, null)).details ->> 'challenge')::integer, 2, 'for a challenge that nobody can have signed') from generate_series(1, 2);
select is(pg_temp.asked(c, '\x01', true), null, 'with the verdict it is not asked') from made;
select is(pg_temp.asked(c, '\x01', false), null, 'whatever that is') from made;
select * from finish();
rollback;
