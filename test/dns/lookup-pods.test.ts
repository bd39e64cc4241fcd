import { describe, expect, it } from 'vitest';
import { makePod, shopObjects } from './cluster.ts';
import { queryDns } from './query.ts';

const name = (label: string, namespace = 'shop', type = 'A'): string => `${label}.${namespace}.pod.cluster.local. ${type}`;
const verified = { pods: 'verified' } as const;
const insecure = { pods: 'insecure' } as const;

describe('names of pods', () => {
  it('are not answered by default', () => {
    expect(queryDns(name('10-1-0-1'))).toMatchObject({ rcode: 'NXDOMAIN', code: 'PodsDisabled' });
  });

  it('resolve to any address in an existing namespace with "insecure"', () => {
    expect(queryDns(name('1-2-3-4'), insecure).answer).toEqual(['1-2-3-4.shop.pod.cluster.local. 5 IN A 1.2.3.4']);
    expect(queryDns(name('fd00--1', 'shop', 'AAAA'), insecure).answer).toEqual(['fd00--1.shop.pod.cluster.local. 5 IN AAAA fd00::1']);
    expect(queryDns(name('fd00--1'), insecure)).toMatchObject({ rcode: 'NOERROR', answer: [] });
    expect(queryDns(name('1-2-3-4', 'none'), insecure).rcode).toBe('NXDOMAIN');
    expect(queryDns(name('1-2-3-4', 'shop', 'SRV'), insecure).answer).toEqual([
      '1-2-3-4.shop.pod.cluster.local. 5 IN SRV 0 100 0 1-2-3-4.shop.pod.cluster.local.',
    ]);
  });

  it.each(['web-0', '1-2-3-999', '1-2-3-04', '1-2-3', '-', '1--2--3', 'fd00-0-1', 'fd00-00001--1'])('do not resolve for %s', (label) => {
    expect(queryDns(name(label), insecure)).toMatchObject({ rcode: 'NXDOMAIN', code: 'PodNameInvalid' });
    expect(queryDns(name(label), verified).rcode).toBe('NXDOMAIN');
  });

  it('resolve only to the addresses of an existing pod with "verified"; up to CoreDNS 1.14, only to the first', () => {
    expect(queryDns(name('10-1-0-1'), verified).answer).toHaveLength(1);
    expect(queryDns(name('10-1-0-1', 'back'), verified)).toMatchObject({ rcode: 'NXDOMAIN', code: 'PodNotFound' });
    const objects = { ...shopObjects, pods: [makePod('a', '10.5.0.1', { podIPs: [{ ip: '10.5.0.1' }, { ip: 'fd00::5' }] })] };
    const rcode = (release: string) => queryDns(name('fd00--5', 'shop', 'AAAA'), { ...verified, objects, release }).rcode;
    expect(['1.14', '1.15'].map(rcode)).toEqual(['NXDOMAIN', 'NOERROR']);
  });

  it.each([
    ['absent', undefined, []],
    ['null', null, []],
    ['empty', [], []],
    ['different', [{ ip: '10.5.0.2' }], ['10-5-0-2']],
  ])('resolve only to podIPs from CoreDNS 1.15 on, and only to podIP before, if podIPs is %s', (_, podIPs, expected) => {
    const objects = { ...shopObjects, pods: [makePod('a', '10.5.0.1', { podIPs })] };
    const existingLabels = (release: string) =>
      ['10-5-0-1', '10-5-0-2'].filter((label) => queryDns(name(label), { ...verified, objects, release }).rcode === 'NOERROR');
    expect(['1.6', '1.8.6', '1.14'].map(existingLabels)).toStrictEqual([['10-5-0-1'], ['10-5-0-1'], ['10-5-0-1']]);
    expect(existingLabels('1.15')).toStrictEqual(expected);
  });

  it.each(['1.8.6', '1.14.3'])("match the pod's namespace in any letter case, in %s", (release) => {
    const objects = { ...shopObjects, pods: [makePod('a', '10.5.0.1', {}, { namespace: 'Shop' })] };
    expect(queryDns(name('10-5-0-1'), { ...verified, objects, release }).answer).toHaveLength(1);
    expect(queryDns(name('10-5-0-1', 'back'), { ...verified, objects, release }).rcode).toBe('NXDOMAIN');
  });

  it('do not resolve for finished or terminating pods', () => {
    const endedPods = [
      ...['Succeeded', 'Failed', 'Unknown'].map((phase) => makePod(phase, '10.5.0.1', { phase })),
      makePod('leaving', '10.5.0.1', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ];
    expect(queryDns(name('10-5-0-1'), { ...verified, objects: { ...shopObjects, pods: endedPods } }).rcode).toBe('NXDOMAIN');
    const pendingPods = [makePod('new', '10.5.0.1', { phase: 'Pending' })];
    expect(queryDns(name('10-5-0-1'), { ...verified, objects: { ...shopObjects, pods: pendingPods } }).answer).toHaveLength(1);
  });

  it('have one address if pods share it', () => {
    const objects = { ...shopObjects, pods: [makePod('a', '10.5.0.1'), makePod('b', '10.5.0.1')] };
    expect(queryDns(name('10-5-0-1'), { ...verified, objects }).answer).toHaveLength(1);
    expect(queryDns(name('10-5-0-1', 'shop', 'SRV'), { ...verified, objects }).answer[0]).toMatch(/ SRV 0 50 0 /);
  });

  it('accept wildcards for namespaces in CoreDNS 1.8', () => {
    expect(queryDns(name('10-1-0-1', '*'), { ...verified, release: '1.8' }).answer).toHaveLength(1);
    expect(queryDns(name('*'), { ...verified, release: '1.8' })).toMatchObject({ rcode: 'NOERROR', answer: [] });
    expect(queryDns(name('10-1-0-1', '*'), { ...verified, release: '1.8', namespaces: ['back'] }).rcode).toBe('NXDOMAIN');
    expect(queryDns(name('10-1-0-1', '*'), verified).rcode).toBe('NXDOMAIN');
  });
});
