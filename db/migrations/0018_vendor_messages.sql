-- What a vendor needs of a message beside its text.

alter type delivery.message add attribute encoding text;
alter type delivery.message add attribute code text;
comment on type delivery.message is
  'A message to send now, as one attempt by one provider. The body and the code are here and at the vendor only. options: of the provider '
  'for this phone, with the ids of this text. timeout_ms: how long the vendor may take. encoding: of the body as an SMS, GSM-7 or UCS-2. '
  'code: null for a notice';
