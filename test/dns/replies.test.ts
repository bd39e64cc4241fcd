import { expect, it } from 'vitest';
import { createErrorReply, createNegativeReply, createPositiveReply, createSoaRecord } from '../../src/dns/answerer.ts';

it('every reply has all sections, and is authoritative unless it reports an error', () => {
  const soa = createSoaRecord('z.', 5, 1);
  for (const reply of [createPositiveReply([soa]), createNegativeReply('NXDOMAIN', soa), createErrorReply('FORMERR')]) {
    expect([reply.answer, reply.authority, reply.additional].every(Array.isArray)).toBe(true);
  }
  expect([
    createPositiveReply([]).authoritative,
    createNegativeReply('NOERROR', soa).authority,
    createErrorReply('REFUSED').authoritative,
  ]).toEqual([true, [soa], false]);
});
