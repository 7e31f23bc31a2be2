begin;
select plan(2);
delete from private.installation;
select is(test.call_as('latchkey_worker', $$delivery.check_pepper('\x01')$$, null::boolean), true, 'the first pepper is taken');
select is(test.call_as('latchkey_worker', $$delivery.check_pepper('\x02')$$, null::boolean), false, 'another is not');

select * from finish();
rollback;
