begin;
select plan(7);
select test.clean_slate(), test.make_account('+12025550101'), test.make_account('+12025550102'), test.make_account('+12025550103');
update "user".account set email = case phone when '+12025550103' then 'own@example.org' else 'shared@example.org' end;
create function pg_temp.fill() returns void language plpgsql as $$
begin
  delete from platform.otp_transaction;
  insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
  select gen_random_uuid(), e, 'EMAIL', 'LOGIN', false, 'stored', now() from unnest(array['own@example.org', 'shared@example.org']) e;
  perform test.insert_hits('OTP_SEND_PER_IDENTIFIER:own@example.org', now());
end $$;
create function pg_temp.stored(email text) returns boolean language sql as $$
  select exists (select from platform.otp_transaction o where o.identifier = stored.email)
    or exists (select from platform.rate_limit l where strpos(l.key, stored.email) > 0)
    or exists (select from private.verification_state s where s.identifier = stored.email)
$$;
select pg_temp.fill();

update "user".account set email = email, phone = phone;
select ok(pg_temp.stored('own@example.org'), 'what is stored about an email stays while the email does');
select test.become('latchkey_admin');
update "user".account set email = 'OWN@example.org' where phone = '+12025550103';
reset role;
select ok(pg_temp.stored('own@example.org'), 'another spelling is no change');
select test.become('latchkey_admin');
update "user".account set email = 'new@example.org' where phone = '+12025550103';
reset role;
select ok(not pg_temp.stored('own@example.org'), 'it is deleted when an admin replaces the email');

update "user".account set email = null where phone = '+12025550101';
select ok(pg_temp.stored('shared@example.org'), 'what is stored about an email that another account has stays');
select is_empty('select from private.verification_state', 'no verification state without a count is left');
update "user".account set email = 'own@example.org' where phone = '+12025550101';
update "user".account set email = 'shared@example.org' where phone = '+12025550101';
update "user".account set email = null where email = 'shared@example.org';
select ok(not pg_temp.stored('shared@example.org'), 'if one statement takes an email from several accounts, it is deleted with the last one');
insert into private.verification_state (identifier_type, identifier, failures, failed_at) values ('EMAIL', 'new@example.org', 1, now());
delete from "user".account where phone = '+12025550102';
update "user".account set email = 'new@example.org' where email is null;
update "user".account set email = null where phone = '+12025550103';
select ok(pg_temp.stored('new@example.org'), 'failures that were counted for another account''s email stay');
select * from finish();
rollback;
