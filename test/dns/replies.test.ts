import { expect, it } from 'vitest';
import { createSoaRecord, errorReply, negativeReply, positiveReply } from '../../src/dns/answerer.ts';

it('every reply has all sections', () => {
  const soa = createSoaRecord('z.', 5, 1);
  for (const reply of [positiveReply([soa]), negativeReply('NXDOMAIN', soa), errorReply('FORMERR')]) {
    expect([reply.answer, reply.authority, reply.additional].every(Array.isArray)).toBe(true);
  }
  expect([positiveReply([]).authoritative, negativeReply('NOERROR', soa).authority, errorReply('REFUSED').authoritative]).toEqual([
    true,
    [soa],
    false,
  ]);
});
