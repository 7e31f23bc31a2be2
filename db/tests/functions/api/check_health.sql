begin;
select plan(2);

select is(to_jsonb(api.check_health()), '{"error": null}', 'a database that can be asked answers that all is well');
set local role latchkey_server;
select lives_ok('select api.check_health()', 'the server may ask');

reset role;
select * from finish();
rollback;
