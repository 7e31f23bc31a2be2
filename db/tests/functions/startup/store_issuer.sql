begin;
select plan(4);
delete from private.installation;
select startup.store_issuer('https://one.example.org');
select is((select i.token_issuer from private.installation i), 'https://one.example.org', 'the first server''s issuer is stored');
update private.installation set pepper_fingerprint = '\x01';
select startup.store_issuer('https://two.example.org');
select is((select row(i.token_issuer, i.pepper_fingerprint)::text from private.installation i), '(https://two.example.org,"\\x01")',
  'another one replaces it, and nothing else');
create temp table version on commit drop as select i.ctid as at from private.installation i;
set local role latchkey_server;
select lives_ok($$select startup.store_issuer('https://two.example.org')$$, 'latchkey_server may call it');
reset role;
select is((select i.ctid from private.installation i), (select at from version), 'the same one writes nothing');
select * from finish();
rollback;
