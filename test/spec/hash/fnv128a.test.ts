import { expect, it } from 'vitest';
import { createFNV128a, createLiteral } from '../../../src/spec/hash/fnv128a.ts';

function hashOf(...pieces: (string | ReturnType<typeof createLiteral>)[]): string {
  const digest = createFNV128a();
  for (const piece of pieces) {
    if (typeof piece === 'string') digest.addText(piece);
    else digest.addLiteral(piece);
  }
  return digest.hex();
}

const subset =
  '(v1.EndpointSubset){Addresses:([]v1.EndpointAddress)[{IP:(string)10.0.0.1 Hostname:(string)h NodeName:(*string)n1 TargetRef:(*v1.ObjectReference){Kind:(string)Pod Namespace:(string)ns Name:(string)p UID:(types.UID)u1 APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}} {IP:(string)10.0.0.2 Hostname:(string) NodeName:(*string)<nil> TargetRef:(*v1.ObjectReference)<nil>}] NotReadyAddresses:([]v1.EndpointAddress)<nil> Ports:([]v1.EndpointPort)[{Name:(string)web Port:(int32)8080 Protocol:(v1.Protocol)TCP AppProtocol:(*string)https} {Name:(string) Port:(int32)9090 Protocol:(v1.Protocol)UDP AppProtocol:(*string)<nil>}]}';

it.each([
  ['', '6c62272e07bb014262b821756295c58d'],
  [
    '(v1.EndpointPort){Name:(string)web Port:(int32)8080 Protocol:(v1.Protocol)TCP AppProtocol:(*string)https}',
    '550d94a26aadc1167da62566e0a8d6af',
  ],
  [
    '(v1.EndpointPort){Name:(string) Port:(int32)9090 Protocol:(v1.Protocol)UDP AppProtocol:(*string)<nil>}',
    'c74fac848f4d44086a853b8d5d43a959',
  ],
  [subset, '319c974ef4c487d6316c29e813ed281a'],
])('FNV-128a of %j is %s', (text, hash) => {
  expect(hashOf(text)).toBe(hash);
  expect(hashOf(createLiteral(text))).toBe(hash);
  expect(hashOf(...text)).toBe(hash);
});

it('createFNV128a matches the BigInt definition for ASCII of every length', () => {
  const text = String.fromCharCode(...Array.from({ length: 600 }, (_, i) => (i * 83 + (i >> 3)) & 127));
  for (const length of [0, 1, 2, 7, 63, 64, 255, 256, 599, 600]) {
    expect(hashOf(text.slice(0, length)), `${length} characters`).toBe(referenceHash(text.slice(0, length)));
    expect(hashOf(createLiteral(text.slice(0, length))), `${length} characters at once`).toBe(referenceHash(text.slice(0, length)));
  }
});

it('createFNV128a hashes text as UTF-8', () => {
  for (const text of ['\u007f', '\u0080', '\u00e9', '\u07ff', '\u0800', '\uffee', '\u{1f600}', 'a\u00e9z', 'z'.repeat(50)]) {
    expect(hashOf(text), text).toBe(referenceHash(text));
    expect(hashOf('x', text, createLiteral('y')), text).toBe(referenceHash(`x${text}y`));
  }
});

it('createFNV128a hashes literals correctly from any state, also repeatedly', () => {
  const literals = [
    createLiteral('a'),
    createLiteral(' TargetRef:(*v1.ObjectReference)<nil>'),
    createLiteral('z'.repeat(200)),
    createLiteral(''),
  ];
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 300; i++) {
      const prefix = `${i}-${'q'.repeat(i % 7)}`;
      for (const each of literals) expect(hashOf(prefix, each, '!', each)).toBe(referenceHash(`${prefix}${each.text}!${each.text}`));
    }
  }
});

it('createFNV128a creates independent digests', () => {
  const [first, second] = [createFNV128a(), createFNV128a()];
  first.addText('a');
  second.addText('b');
  expect([first.hex(), second.hex()]).toEqual([referenceHash('a'), referenceHash('b')]);
});

/** FNV-1a by its definition, with BigInt. */
function referenceHash(text: string): string {
  const prime = (1n << 88n) + 0x13bn;
  const bytes = new TextEncoder().encode(text);
  const hash = bytes.reduce((state, byte) => ((state ^ BigInt(byte)) * prime) & ((1n << 128n) - 1n), 0x6c62272e07bb014262b821756295c58dn);
  return hash.toString(16).padStart(32, '0');
}
