begin;
select plan(2);
delete from private.installation;
select is(test.call_as('latchkey_server', $$api.check_pepper('\x01')$$, null::boolean), true,
  'check_pepper returns true for the first pepper and stores its fingerprint');
select is(test.call_as('latchkey_server', $$api.check_pepper('\x02')$$, null::boolean), false,
  'check_pepper returns false for another pepper');

select * from finish();
rollback;
