begin;
select plan(5);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table options on commit drop as
select private.creation_options(a, row(null, 'enrol', null, null, null, null, '\xfbff', 0, now(), now(), null)::private.factor_challenge, 'example.com') as o
from actor, "user".account a where a.id = actor.id;
select is(o -> 'rp', '{"id": "example.com", "name": "example.com"}', 'the passkey belongs to the domain') from options;
select is(o #>> '{user,name}', '+12025550101', 'the browser shows the phone') from options;
select is(o #>> '{user,id}', private.base64url(uuid_send(id)), 'the handle is the account''s id') from options, actor;
select is(o ->> 'challenge', '-_8', 'the challenge is the stored one') from options;
select is((select array_agg(p ->> 'alg') from jsonb_array_elements(o -> 'pubKeyCredParams') p), array['-8', '-7', '-257'], 'the algorithms are those of the server')
from options;
select * from finish();
rollback;
