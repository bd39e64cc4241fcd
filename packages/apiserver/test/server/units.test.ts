import { describe, expect, it } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { parseRequestInfo } from '../../src/http/request-info.ts';
import {
  encodeBitString,
  encodeInteger,
  encodeObjectIdentifier,
  encodeOctetString,
  encodeSequence,
  encodeTime,
  encodeUtf8String,
} from '../../src/server/certificates.ts';
import { createDeadlines } from '../../src/server/deadlines.ts';
import { createServerState, formatKubeconfig } from '../../src/server/index.ts';
import { createExposition } from '../../src/server/metrics/exposition.ts';
import { createRequestMetrics } from '../../src/server/metrics/requests.ts';
import { createOutbox } from '../../src/server/respond.ts';
import { createClock } from '../store/support.ts';

describe('outbox', () => {
  const nextTurn = (): Promise<unknown> => new Promise(setImmediate);

  it('sends entries of one turn together and in order, after that turn', async () => {
    const { put } = createOutbox();
    const sent: string[] = [];
    put(() => {
      sent.push('first');
      put(() => sent.push('of an answer'));
    });
    put(() => sent.push('second'));
    await Promise.resolve();
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual(['first', 'second']);
    await nextTurn();
    expect(sent).toEqual(['first', 'second', 'of an answer']);
  });

  it('sends pending entries immediately on flush, and only once', async () => {
    const { put, flush } = createOutbox();
    const sent: string[] = [];
    put(() => sent.push('a'));
    flush();
    expect(sent).toEqual(['a']);
    put(() => sent.push('b'));
    await nextTurn();
    expect(sent).toEqual(['a', 'b']);
  });
});

describe('request metrics', () => {
  it('stay bounded for any number of resources', () => {
    const metrics = createRequestMetrics({ maxSeries: 10 });
    for (let count = 0; count < 1000; count += 1) {
      const series = metrics.begin(
        parseRequestInfo('GET', `/api/v1/r${count}`, () => false),
        false,
      );
      metrics.end(series, 200, count);
    }
    const allSeries = [...metrics.all()];
    expect(allSeries).toHaveLength(11);
    expect(allSeries.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('count every request in its duration bucket', () => {
    const metrics = createRequestMetrics();
    const series = metrics.begin(
      parseRequestInfo('GET', '/api/v1/pods', () => false),
      false,
    );
    for (const milliseconds of [0, 5, 5.1, 60_000, 60_001]) metrics.end(series, 200, milliseconds);
    expect(series.buckets.slice(0, 2)).toEqual([2, 1]);
    expect(series.buckets.at(-1)).toBe(1);
    expect(series.count).toBe(5);
    expect(series.totalSeconds).toBeCloseTo(120.0111);
  });
});

describe('the exposition', () => {
  it('has a section for each metric family, with escaped label values', () => {
    const state = createServerState();
    const series = state.requests.begin(
      parseRequestInfo('GET', '/apis/a%22b%5Cc%0Ad/v1/pods', () => false),
      false,
    );
    state.requests.end(series, 200, 700);
    const text = createExposition({ state, storedObjects: () => [], nominalSeats: () => new Map() }).scrape();
    const families = text.split('\n\n');
    const labels = String.raw`component="apiserver",dry_run="",group="a\"b\\c\nd",resource="pods",scope="cluster",subresource="",verb="LIST",version="v1"`;
    expect(families[0]).toBe(
      [
        '# HELP apiserver_request_total Requests that were answered, by verb, resource and code.',
        '# TYPE apiserver_request_total counter',
        `apiserver_request_total{${labels},code="200"} 1`,
      ].join('\n'),
    );
    expect(families[1]?.split('\n').slice(8, 11)).toEqual([
      `apiserver_request_duration_seconds_bucket{${labels},le="0.6"} 0`,
      `apiserver_request_duration_seconds_bucket{${labels},le="0.8"} 1`,
      `apiserver_request_duration_seconds_bucket{${labels},le="1"} 1`,
    ]);
    expect(families.slice(4).map((family) => family.split('\n').length)).toEqual([2, 2, 2, 3, 3, 3, 3, 4]);
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('deadlines', () => {
  it('expire in order, with one timer', () => {
    const clock = createClock(0);
    const expired: string[] = [];
    const deadlines = createDeadlines<{ name: string; deadline: number }>(clock, ({ name }) => expired.push(name));
    const [a, b, c, d] = [30, 10, 20, 40].map((deadline, index) => ({ name: 'abcd'.charAt(index), deadline }));
    for (const item of [a, b, c, d]) if (item) deadlines.add(item);
    if (c) deadlines.delete(c);
    expect(clock.scheduled).toBe(1);
    clock.advance(9);
    expect(expired).toEqual([]);
    clock.advance(1);
    expect(expired).toEqual(['b']);
    clock.advance(20);
    expect(expired).toEqual(['b', 'a']);
    deadlines.clear();
    expect(clock.scheduled).toBe(0);
    clock.advance(100);
    expect(expired).toEqual(['b', 'a']);
  });
});

describe('DER encoding', () => {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

  it('encodes lengths, integers, identifiers, strings and times as X.690 defines', () => {
    expect(hex(encodeOctetString(new Uint8Array(127))).slice(0, 4)).toBe('047f');
    expect(hex(encodeOctetString(new Uint8Array(128))).slice(0, 6)).toBe('048180');
    expect(hex(encodeOctetString(new Uint8Array(65_536))).slice(0, 10)).toBe('0483010000');
    expect(hex(encodeInteger(Uint8Array.of(0)))).toBe('020100');
    expect(hex(encodeInteger(Uint8Array.of(0, 0, 127)))).toBe('02017f');
    expect(hex(encodeInteger(Uint8Array.of(0, 128)))).toBe('02020080');
    expect(hex(encodeObjectIdentifier('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302');
    expect(hex(encodeBitString(Uint8Array.of(0x80), 7))).toBe('03020780');
    expect(hex(encodeSequence(encodeUtf8String('ä')))).toBe('30040c02c3a4');
    expect(Buffer.from(encodeTime(Date.UTC(2049, 11, 31, 23, 59, 59, 999))).toString('latin1')).toBe('\x17\x0d491231235959Z');
    expect(Buffer.from(encodeTime(Date.UTC(2050, 0, 1))).toString('latin1')).toBe('\x18\x0f20500101000000Z');
  });

  it('encodes integers as non-negative and without redundant leading bytes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 160n }), fc.nat(3), (number, zeros) => {
        const digits = number.toString(16);
        const encoded = encodeInteger(Buffer.from('00'.repeat(zeros) + (digits.length % 2 ? '0' : '') + digits, 'hex'));
        const content = encoded.subarray(2);
        expect(BigInt(`0x${hex(content)}`)).toBe(number);
        expect((content[0] ?? 0) & 0x80).toBe(0);
        expect(content.length > 1 && content[0] === 0 && ((content[1] ?? 0) & 0x80) === 0).toBe(false);
      }),
    );
  });
});

describe('kubeconfig', () => {
  it('quotes every value', () => {
    const text = formatKubeconfig({ url: 'http://[::1]:1', token: 'a"b', name: 'x: y', namespace: 'shop' });
    expect(text).toContain('  - name: "x: y"\n'.slice(2));
    expect(text).toContain('    token: "a\\"b"\n');
    expect(text).toContain('    namespace: "shop"\n');
    expect(text).not.toContain('certificate-authority-data');
  });
});
