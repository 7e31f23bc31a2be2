begin;
select plan(2);

select is(to_jsonb(api.check_health()), '{"error": null}', 'check_health returns no error');
set local role latchkey_server;
select lives_ok('select api.check_health()', 'the server may call check_health');

reset role;
select * from finish();
rollback;
