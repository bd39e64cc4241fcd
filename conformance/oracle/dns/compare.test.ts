import { describe, expect, it } from 'vitest';
import { buildDns } from './build.ts';
import type { DnsCaseAnswer, DnsOutcome } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateDns } from './generate.ts';
import { reverseName } from './generate-names.ts';
import { replayDns } from './replay.ts';

describe('generateDns', () => {
  it('generates the same clusters for a seed, independent of the number of the first case', () => {
    const all = [...generateDns(3, 20)];
    expect([...generateDns(3, 5, 10)]).toStrictEqual(all.slice(10, 15));
    expect(new Set(all.map(({ objects, queries }) => JSON.stringify([objects, queries]))).size).toBe(20);
  });

  it('generates no questions with an empty label, which clients cannot send', () => {
    const names = [...generateDns(6, 100)].flatMap(({ queries }) => queries.map(({ name }) => name));
    expect(names.filter((name) => /^\..|\.\./.test(name))).toStrictEqual([]);
  });

  it('generates clusters for which releases answer differently', () => {
    const differing = [...generateDns(4, 60)].filter(
      (testCase) => JSON.stringify(replayDns('1.8.6', testCase)) !== JSON.stringify(replayDns('1.14.3', testCase)),
    );
    expect(differing.length).toBeGreaterThan(20);
  });

  it('generates questions for pods without podIPs, which have a name up to CoreDNS 1.14 only', () => {
    const rcodes = [...generateDns(7, 250)].flatMap((testCase) => {
      const pods = testCase.objects.pods.filter(({ status }) => !status?.podIPs?.length);
      const rcodesOf = (release: string): readonly (string | undefined)[] =>
        (replayDns(release, { ...testCase, objects: { ...testCase.objects, pods } }).answers ?? []).map(({ rcode }) => rcode);
      const later = rcodesOf('1.15.0');
      return rcodesOf('1.14.3').map((rcode, i) => `${rcode} ${later[i]}`);
    });
    expect(rcodes).toContain('NOERROR NXDOMAIN');
    expect(rcodes).not.toContain('NXDOMAIN NOERROR');
  });

  it('generates questions for every kind of answer', () => {
    const outcomes = [...generateDns(5, 80)].flatMap((testCase) => replayDns('1.14.3', testCase).answers ?? []);
    const typesOf = (records: readonly string[]): string[] => records.map((record) => record.split(' ')[3] ?? '');
    expect(new Set(outcomes.map(({ rcode }) => rcode))).toStrictEqual(new Set(['NOERROR', 'NXDOMAIN', 'REFUSED']));
    expect(new Set(outcomes.flatMap(({ answer }) => typesOf(answer)))).toStrictEqual(
      new Set(['A', 'AAAA', 'SRV', 'CNAME', 'PTR', 'TXT', 'NS', 'SOA']),
    );
    expect(new Set(outcomes.flatMap(({ ns }) => typesOf(ns)))).toStrictEqual(new Set(['SOA']));
    expect(new Set(outcomes.flatMap(({ extra }) => typesOf(extra)))).toStrictEqual(new Set(['A', 'AAAA']));
    expect(outcomes.filter(({ answer, ns }) => answer.length + ns.length === 0).length).toBeGreaterThan(10);
  });
});

it.each([
  ['10.0.3.5', '5.3.0.10.in-addr.arpa.'],
  ['fd00::1', `1.${'0.'.repeat(27)}0.0.d.f.ip6.arpa.`],
  ['fd00:1::', `${'0.'.repeat(24)}1.0.0.0.0.0.d.f.ip6.arpa.`],
  ['1:2:3:4:5:6:7:8', '8.0.0.0.7.0.0.0.6.0.0.0.5.0.0.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.ip6.arpa.'],
])('the reverse name of %s is %s', (address, name) => expect(reverseName(address)).toBe(name));

describe('firstDifference', () => {
  const outcome = (name: string, answer: string[] = []): DnsOutcome => ({
    name,
    type: 'A',
    rcode: 'NOERROR',
    aa: true,
    answer,
    ns: [],
    extra: [],
  });
  const answer: DnsCaseAnswer = {
    id: '1',
    answers: [outcome('a.'), outcome('b.', ['b. 5 IN A 10.0.0.1'])],
    transfers: [{ zone: 'z.', records: ['x', 'x', 'y'] }],
  };

  it('returns undefined for equal answers', () => {
    expect(firstDifference(answer, structuredClone(answer))).toBeUndefined();
  });

  it('returns the first answer that differs or is missing', () => {
    const [first] = answer.answers as [DnsOutcome];
    const other = outcome('b.');
    expect(firstDifference(answer, { ...answer, answers: [first, other] })).toStrictEqual({
      path: 'b. A',
      theirs: answer.answers?.[1],
      ours: other,
    });
    expect(firstDifference(answer, { ...answer, answers: [first] })).toMatchObject({ path: 'b. A', ours: undefined });
  });

  it('returns records that a transfer contains more or less often', () => {
    const difference = firstDifference(answer, { ...answer, transfers: [{ zone: 'z.', records: ['x', 'y', 'w'] }] });
    expect(difference).toStrictEqual({ path: 'transfer of z.', theirs: ['x'], ours: ['w'] });
    expect(firstDifference(answer, { id: '1', answers: answer.answers ?? [] })).toMatchObject({ theirs: ['x', 'x', 'y'], ours: [] });
  });

  it('ignores questions for which the release fails', () => {
    expect(firstDifference({ id: '1', error: 'panic' }, answer)).toBeUndefined();
    const failing = { ...answer, answers: [{ ...outcome('a.'), error: 'panic' }], transfers: [{ zone: 'z.', records: null }] };
    expect(firstDifference(failing, { id: '1', answers: [outcome('a.', ['something'])] })).toBeUndefined();
  });
});

it('buildDns names an unknown release in its error', async () => {
  await expect(buildDns('1.2.3')).rejects.toThrow(
    'there is no oracle for CoreDNS 1.2.3; supported releases are 1.6.9, 1.7.0, 1.7.1, 1.8.0, 1.8.6',
  );
});
