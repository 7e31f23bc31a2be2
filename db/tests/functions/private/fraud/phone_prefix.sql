begin;
select plan(3);
select is(private.phone_prefix('+12025550101'), '+12025', 'the last six digits are left out');
select is(private.phone_prefix('+6834002'), '+683', 'of a short phone three digits are left');
select is(private.phone_prefix('+683400201'), '+683', 'and of one that has exactly three digits more than six');

select * from finish();
rollback;
