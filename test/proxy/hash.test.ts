import { createHash as createNodeHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createHasher } from '../../src/proxy/hash.ts';

it('createHasher returns a function that computes the first 80 bits of SHA-256 in base 32 for text of any length', () => {
  const hash = createHasher();
  for (let length = 0; length < 300; length++) {
    const text = 'shop/wéb€😀:http'.repeat(20).slice(0, length);
    expect(hash(text), String(length)).toBe(hashWithNode(text));
  }
});

it('createHasher keeps no state between hashes', () => {
  const hash = createHasher();
  const first = hash('a');
  hash('b'.repeat(1000));
  expect(hash('a')).toBe(first);
  expect(hash('a')).toBe(createHasher()('a'));
});

function hashWithNode(text: string): string {
  const bits = [...createNodeHash('sha256').update(text).digest()].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: 16 }, (_, i) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(bits.slice(i * 5, i * 5 + 5), 2)]).join(
    '',
  );
}
