import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createLiteral } from '../../../src/spec/hash/fnv128a.ts';
import { createMD5, md5 } from '../../../src/spec/hash/md5.ts';

/** The test suite of RFC 1321. */
it.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
  ['12345678901234567890123456789012345678901234567890123456789012345678901234567890', '57edf4a22be3c955ac49da2e2107b67a'],
])('MD5 of %j is %s', (text, hash) => {
  expect(md5(new TextEncoder().encode(text))).toBe(hash);
});

it('md5 matches node:crypto at every length around the padding', () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, i) => (i * 73 + 41) & 255);
  for (let length = 0; length <= bytes.length; length++) {
    const prefix = bytes.subarray(0, length);
    expect(md5(prefix), `${length} bytes`).toBe(createHash('md5').update(prefix).digest('hex'));
  }
});

it('md5 reads a view into a larger buffer', () => {
  const whole = new TextEncoder().encode('xxabcxx');
  expect(md5(whole.subarray(2, 5))).toBe('900150983cd24fb0d6963f7d28e17f72');
});

it('createMD5 hashes pieces of text as UTF-8', () => {
  const digest = createMD5();
  digest.addLiteral(createLiteral('a'));
  digest.addText('\u00e9\u{1f600}');
  digest.addLiteral(createLiteral('z'));
  expect(digest.hex()).toBe(createHash('md5').update('a\u00e9\u{1f600}z').digest('hex'));
  expect(createMD5().hex()).toBe('d41d8cd98f00b204e9800998ecf8427e');
});
