begin;
select plan(4);
select is(private.password_cost('$2a$10$' || repeat('x', 53)), 10, 'the cost is read from the hash');
select is(private.password_cost('$2a$04$' || repeat('x', 53)), 4, 'a cost with a leading zero is read as a number');
select is(private.password_cost(crypto.crypt('x', crypto.gen_salt('bf', 5))), 5,
  'the cost is read from a hash that pgcrypto made');
select is(private.password_cost(null), null, 'the cost of null is null');

select * from finish();
rollback;
