import { createHash as createNodeHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createHash } from '../../src/proxy/hash.ts';

it('createHash returns the first 80 bits of SHA-256 in base 32 for text of any length', () => {
  const hash = createHash();
  for (let length = 0; length < 300; length++) {
    const text = 'shop/wéb€😀:http'.repeat(20).slice(0, length);
    expect(hash(text), String(length)).toBe(expected(text));
  }
});

it('createHash keeps no state between hashes', () => {
  const hash = createHash();
  const first = hash('a');
  hash('b'.repeat(1000));
  expect(hash('a')).toBe(first);
  expect(hash('a')).toBe(createHash()('a'));
});

function expected(text: string): string {
  const bits = [...createNodeHash('sha256').update(text).digest()].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: 16 }, (_, i) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.slice(i * 5, i * 5 + 5), 2)]).join(
    '',
  );
}
