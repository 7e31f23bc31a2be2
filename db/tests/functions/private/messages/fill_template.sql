begin;
select plan(1);
select is(private.fill_template('{{code}}, {{code}}: {{minutes}} {minutes}', '123456', 12), '123456, 123456: 12 {minutes}',
  'every placeholder is filled in');

select * from finish();
rollback;
