begin;
select plan(3);
select is(private.autofill_line('@app.example.com', '123456'), E'\n\n@app.example.com #123456', 'a host is followed by one blank and the code');
select is(private.autofill_line('FA+9qCX9VSu', '123456'), E'\n\nFA+9qCX9VSu', 'the hash of an app stands alone');
select is(private.autofill_line(null, '123456'), null, 'without a target there is no line');

select * from finish();
rollback;
