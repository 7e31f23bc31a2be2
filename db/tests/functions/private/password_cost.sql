begin;
select plan(4);
select is(private.password_cost('$2a$10$' || repeat('x', 53)), 10, 'the cost stands in the hash');
select is(private.password_cost('$2a$04$' || repeat('x', 53)), 4, 'with a zero before it or without');
select is(private.password_cost(crypto.crypt('x', crypto.gen_salt('bf', 5))), 5, 'where bcrypt wrote it');
select is(private.password_cost(null), null, 'no hash has no cost');

select * from finish();
rollback;
