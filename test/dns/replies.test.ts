import { expect, it } from 'vitest';
import { found, negative, refused, soaRecord } from '../../src/dns/answerer.ts';

it('every reply has all sections', () => {
  const soa = soaRecord('z.', 5, 1);
  for (const reply of [found([soa]), negative('NXDOMAIN', soa), refused('FORMERR')]) {
    expect([reply.answer, reply.authority, reply.additional].every(Array.isArray)).toBe(true);
  }
  expect([found([]).authoritative, negative('NOERROR', soa).authority, refused('REFUSED').authoritative]).toEqual([true, [soa], false]);
});
