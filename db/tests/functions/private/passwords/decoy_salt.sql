begin;
select plan(3);
select is(private.decoy_salt(10), '$2a$10$.....................O', 'a decoy salt is a bcrypt salt with the requested cost');
select is(private.decoy_salt(4), '$2a$04$.....................O', 'the cost in a decoy salt has two digits');
select ok(crypto.crypt('x', private.decoy_salt(4)) like '$2a$04$%', 'bcrypt accepts a decoy salt');

select * from finish();
rollback;
