import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { encodeLabels, parseName } from '../../src/packet/name.ts';

const encodeName = (...labels: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from([...labels.flatMap((label) => [label.length, ...(typeof label === 'string' ? Buffer.from(label) : label)]), 0]);

describe('parseName and its inverse encodeLabels', () => {
  test.each<[string, Uint8Array]>([
    ['.', encodeName()],
    ['web.shop.', encodeName('web', 'shop')],
    ['_http._tcp.Web-1.', encodeName('_http', '_tcp', 'Web-1')],
    ['*.shop.', encodeName('*', 'shop')],
    ['a\\.b.c.', encodeName('a.b', 'c')],
    ['\\000\\255\\\\\\"\\ .', encodeName([0, 255, 0x5c, 0x22, 0x20])],
    ["it\\'s$.", encodeName([0x69, 0x74, 0x27, 0x73, 0x24])],
  ])('convert %s in both directions', (text, packet) => {
    expect(parseName(Uint8Array.from([9, 9, ...packet, 9]), 2)).toEqual({ text, end: 2 + packet.length });
    expect(encodeName(...encodeLabels(text === '.' ? '' : text).map((label) => [...label]))).toEqual(packet);
  });

  test('parseName accepts names of up to 255 bytes', () => {
    const long = 'a'.repeat(63);
    expect(parseName(encodeName(long, long, long, 'a'.repeat(61)), 0)?.end).toBe(255);
    expect(parseName(encodeName(long, long, long, 'a'.repeat(62)), 0)).toBeUndefined();
  });

  test.each<[string, number[]]>([
    ['that has no end', [3, 0x77, 0x65, 0x62]],
    ['that exceeds the packet', [3, 0x77]],
    ['that has a compression pointer', [0xc0, 0]],
    ['with a label of 64 bytes', [64, ...new Array<number>(64).fill(0x61), 0]],
    ['in an empty packet', []],
  ])('parseName rejects a name %s', (_, bytes) => {
    expect(parseName(Uint8Array.from(bytes), 0)).toBeUndefined();
  });

  test('return the original labels after a round trip', () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 6 }), (labels) => {
        const { text = '' } = parseName(encodeName(...labels.map((each) => [...each])), 0) ?? {};
        expect(encodeLabels(text)).toEqual(labels);
      }),
    );
  });
});

test.each(['a..b.', '.a.', `${'a'.repeat(64)}.`, 'ü€.'])('encodeLabels refuses %j', (name) => {
  expect(() => encodeLabels(name)).toThrow(RangeError);
});
