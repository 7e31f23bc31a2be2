begin;
select plan(1);
select is(private.most_texts(), 200, 'there are 200 texts at most');

select * from finish();
rollback;
