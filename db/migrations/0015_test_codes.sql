-- What a fixed code of OTP_TEST_NUMBERS may open.
alter table "user".account add column verified_by_test_code boolean not null default false;
comment on column "user".account.verified_by_test_code is
  'Whether only a fixed code of OTP_TEST_NUMBERS has confirmed its phone. False: a code that was sent, an import or the admin has, and '
  'no fixed code opens it';

-- Accounts of test numbers that registered before this column existed: the verification used the code at the moment that made the account.
update "user".account a set verified_by_test_code = true
where exists (
  select from platform.otp_transaction o
  where o.identifier = a.phone and o.delivery = 'test' and o.purpose = 'SIGNUP'
    and o.verified_at between a.phone_verified_at and a.phone_verified_at + interval '10 seconds'
);

-- A test number has one row per purpose (private.store_test_otp): of several, the latest stays.
delete from platform.otp_transaction o
using platform.otp_transaction newer
where o.delivery = 'test' and newer.delivery = 'test' and newer.identifier = o.identifier and newer.purpose = o.purpose
  and newer.account_id is not distinct from o.account_id and (newer.created_at, newer.id) > (o.created_at, o.id);
create unique index otp_transaction_test on platform.otp_transaction (identifier, purpose, account_id) nulls not distinct
  where delivery = 'test';
