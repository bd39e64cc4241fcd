import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../src/apimachinery/compare.ts';
import { canonicalIP, rankOfIPv4 } from '../../src/apimachinery/ip.ts';
import { compareAddresses, sortByAddress } from '../../src/spec/order/addresses.ts';
import { formatInstant, parseInstant } from '../../src/spec/time.ts';
import { fc } from '../support/property.ts';
import { ips, times } from './arbitraries.ts';

describe('IP addresses', () => {
  const texts = fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6(),
    ips,
    fc.string(),
    fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '::', '.', '25', 'ffff'), maxLength: 12 }),
  );

  it('canonicalIP accepts any text, and is idempotent', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const canonicalText = canonicalIP(text);
        if (canonicalText === undefined) return;
        expect(canonicalIP(canonicalText)).toBe(canonicalText);
        expect(isIP(canonicalText)).toBeGreaterThan(0);
        expect(rankOfIPv4(canonicalText) >= 0).toBe(isIP(canonicalText) === 4);
      }),
      { numRuns: 3000 },
    );
  });

  it('canonicalIP accepts every address that Node accepts, and prints IPv6 like a URL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), texts), (text) => {
        if (isIP(text) === 4) expect(canonicalIP(text)).toBe(text);
        if (isIP(text) !== 6) return;
        const canonicalText = canonicalIP(text);
        const hostname = new URL(`http://[${text}]`).hostname.slice(1, -1);
        if (canonicalText?.includes('.')) expect(new URL(`http://[::ffff:${canonicalText}]`).hostname.slice(1, -1)).toBe(hostname);
        else expect(canonicalText).toBe(hostname);
      }),
      { numRuns: 1000 },
    );
  });

  it('rankOfIPv4 has the order of the texts', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (a, b) => {
        expect(Math.sign(rankOfIPv4(a) - rankOfIPv4(b))).toBe(Math.sign(Number(a > b) - Number(a < b)));
      }),
      { numRuns: 500 },
    );
  });

  it('sortByAddress sorts like compareAddresses', () => {
    const addresses = fc.record({
      ip: fc.oneof(ips, fc.ipV4()),
      targetRef: fc.constantFrom(undefined, { uid: 'a' }, { uid: 'b' }, { uid: '\u{1f600}' }, { uid: '\uffee' }),
    });
    const similarAddresses = fc.record({
      ip: fc.integer({ min: 0, max: 12 }).map((n) => `10.0.0.${n}`),
      targetRef: fc.constantFrom(undefined, { uid: 'a' }, { uid: 'b' }),
    });
    fc.assert(
      fc.property(fc.oneof(fc.array(addresses), fc.array(similarAddresses)), (list) => {
        const items = list.map(({ ip, targetRef }, index) => ({
          address: { ip, ...(targetRef && { targetRef }) },
          rank: rankOfIPv4(ip),
          index,
        }));
        expect(sortByAddress(items)).toEqual(items.toSorted((a, b) => compareAddresses(a.address, b.address)));
      }),
      { numRuns: 500 },
    );
  });
});

it('compareText sorts by UTF-8 bytes', () => {
  const unit = fc.constantFrom('a', 'b', '\u007f', '\u0080', '\ud7ff', '\ue000', '\uffee', '\u{10000}', '\u{1f600}', '\u{10ffff}');
  const text = fc.string({ unit, maxLength: 5 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 1000 },
  );
});

describe('times', () => {
  const exactTimes = fc
    .record({
      seconds: fc.integer({ min: -1e9, max: 4e9 }),
      nanoseconds: fc.oneof(fc.constantFrom(0, 1, 500_000_000, 999_999_999), fc.integer({ min: 0, max: 999_999_999 })),
      offset: fc.constantFrom('Z', '+00:00', '+05:45', '-03:30', '+14:00'),
    })
    .map(({ seconds, nanoseconds, offset }) => {
      const minutes = offset === 'Z' ? 0 : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)));
      const local = new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19);
      return {
        text: `${local}.${String(nanoseconds).padStart(9, '0')}${offset}`,
        total: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
      };
    });

  it('parseInstant preserves the order of times, to the nanosecond', () => {
    fc.assert(
      fc.property(exactTimes, exactTimes, fc.boolean(), (a, other, differsInLastDigit) => {
        const b = differsInLastDigit
          ? { text: a.text.replace(/\d(?=(Z|[+-]\d\d:\d\d)$)/, '4'), total: a.total - (a.total % 10n) + (a.total < 0n ? 0n : 4n) }
          : other;
        const [instantA, instantB] = [parseInstant(a.text, 'f') ?? '', parseInstant(b.text, 'f') ?? ''];
        if (differsInLastDigit && a.total < 0n) return;
        expect(Math.sign(Number(instantA > instantB) - Number(instantA < instantB))).toBe(
          a.total > b.total ? 1 : a.total < b.total ? -1 : 0,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('formatInstant prints the same instant in any time zone', () => {
    fc.assert(
      fc.property(
        exactTimes,
        fc.constantFrom(undefined, 'UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati'),
        ({ text }, timeZone) => {
          const instant = parseInstant(text, 'f') ?? '';
          expect(parseInstant(formatInstant(instant, timeZone), 'f')).toBe(instant);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('parseInstant reads a Date like its text', () => {
    fc.assert(
      fc.property(times, (text) => {
        const date = new Date(text);
        expect(parseInstant(date, 'f')).toBe(parseInstant(date.toISOString(), 'f'));
      }),
      { numRuns: 100 },
    );
  });

  it('parseInstant refuses any other text with a TypeError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          times.map((text) => text.slice(1)),
          times.map((text) => `${text}0`),
        ),
        (text) => {
          expect(() => parseInstant(text, 'f')).toThrow(TypeError);
        },
      ),
      { numRuns: 300 },
    );
  });
});
