import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { encodeLabels, readName } from '../../src/packet/name.ts';

const wire = (...labels: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from([...labels.flatMap((label) => [label.length, ...(typeof label === 'string' ? Buffer.from(label) : label)]), 0]);

describe('a name in a packet', () => {
  test.each<[string, Uint8Array]>([
    ['.', wire()],
    ['web.shop.', wire('web', 'shop')],
    ['_http._tcp.Web-1.', wire('_http', '_tcp', 'Web-1')],
    ['*.shop.', wire('*', 'shop')],
    ['a\\.b.c.', wire('a.b', 'c')],
    ['\\000\\255\\\\\\"\\ .', wire([0, 255, 0x5c, 0x22, 0x20])],
    ["it\\'s$.", wire([0x69, 0x74, 0x27, 0x73, 0x24])],
  ])('is converted in both directions: %s', (text, packet) => {
    expect(readName(Uint8Array.from([9, 9, ...packet, 9]), 2)).toEqual({ text, end: 2 + packet.length });
    expect(wire(...encodeLabels(text === '.' ? '' : text).map((label) => [...label]))).toEqual(packet);
  });

  test('may have up to 255 bytes', () => {
    const long = 'a'.repeat(63);
    expect(readName(wire(long, long, long, 'a'.repeat(61)), 0)?.end).toBe(255);
    expect(readName(wire(long, long, long, 'a'.repeat(62)), 0)).toBeUndefined();
  });

  test.each<[string, number[]]>([
    ['that has no end', [3, 0x77, 0x65, 0x62]],
    ['that exceeds the packet', [3, 0x77]],
    ['that has a compression pointer', [0xc0, 0]],
    ['with a label of 64 bytes', [64, ...new Array<number>(64).fill(0x61), 0]],
    ['in an empty packet', []],
  ])('a name %s is invalid', (_, bytes) => {
    expect(readName(Uint8Array.from(bytes), 0)).toBeUndefined();
  });

  test('survives a round trip with any labels', () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 6 }), (labels) => {
        const { text = '' } = readName(wire(...labels.map((each) => [...each])), 0) ?? {};
        expect(encodeLabels(text)).toEqual(labels);
      }),
    );
  });
});

test.each(['a..b.', '.a.', `${'a'.repeat(64)}.`, 'ü€.'])('encodeLabels refuses %j', (name) => {
  expect(() => encodeLabels(name)).toThrow(RangeError);
});
