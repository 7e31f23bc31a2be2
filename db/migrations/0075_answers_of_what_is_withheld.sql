alter table platform.otp_transaction add column answer_at timestamptz;
comment on column platform.otp_transaction.answer_at is
  'When the request of a withheld one is answered: as long after created_at as a send has lately taken; null: any other delivery';
