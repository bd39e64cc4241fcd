import { describe, expect, it } from 'vitest';
import { explainService } from '../../src/explain/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const codes = (...parameters: Parameters<typeof explainService>) => explainService(...parameters).problems.map(({ code }) => code);

describe('explainService', () => {
  it('returns no problems for a working Service', () => {
    const { pods, ...rest } = explainService(makeService(), [makePod(), makePod('b', { metadata: { labels: {} } })]);
    expect(rest).toEqual({
      namespace: 'shop',
      name: 'web',
      version: '1.37',
      managed: true,
      counts: { selected: 1, ready: 1, notReady: 0, leftOut: 0 },
      problems: [],
    });
    expect(pods.map(({ name }) => name)).toEqual(['a']);
  });

  it('counts selected, ready, unready and excluded pods', () => {
    const pods = [
      makePod('a'),
      makePod('b', { ready: false, ip: '10.0.0.2' }),
      makePod('c', { status: { phase: 'Failed' } }),
      makePod('d', { metadata: { namespace: 'x' } }),
    ];
    expect(explainService(makeService(), pods).counts).toEqual({ selected: 3, ready: 1, notReady: 1, leftOut: 1 });
  });

  it('sorts problems by severity', () => {
    const service = makeService(
      { selector: {}, ports: [] },
      { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' } },
    );
    expect(codes(service, [])).toEqual(['SelectorMatchesNothing', 'ServiceHasNoPorts', 'SelectorIsEmpty', 'AnnotationWithoutEffect']);
  });

  it.each([
    ['a namespace without pods', makeService(), [], ['SelectorMatchesNothing']],
    ['an empty selector', makeService({ selector: {} }), [makePod()], ['SelectorIsEmpty']],
    ['a Service with some ready pods', makeService(), [makePod(), makePod('b', { ready: false })], []],
    ['a headless Service without ports', makeService({ clusterIP: 'None', ports: [] }), [makePod()], []],
    [
      'an annotation that the release ignores',
      makeService({}, { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'f' } }),
      [makePod()],
      ['AnnotationWithoutEffect'],
    ],
    [
      'a target port that no pod has',
      makeService({ ports: [{ port: 80, targetPort: 'x' }] }),
      [makePod()],
      ['NoPodEligible', 'PortFoundInNoPod'],
    ],
  ])('reports the problems of %s', (_, service, pods, expected) => {
    expect(codes(service, pods)).toEqual(expected);
  });

  it('skips the rules for managed Services if the Service is unmanaged', () => {
    const service = makeService({ selector: null, ipFamilies: [], ports: [] }, { labels: { 'service.kubernetes.io/headless': '' } });
    expect(codes(service, [makePod()], { version: '1.33.1' })).toEqual(['ServiceHasNoSelector']);
    expect(explainService(service, [makePod()])).toMatchObject({ managed: false, counts: { selected: 0 } });
  });

  it('accepts current Endpoints without addresses', () => {
    const explanation = explainService(makeService({ selector: null }), [], { current: { subsets: [] } });
    expect(explanation.problems[0]?.message).toBe('The Service has no selector, so the endpoints controller does not write its Endpoints.');
    expect(explainService(makeService({ selector: null }), [], { current: {} }).problems[0]?.message).toBe(
      explanation.problems[0]?.message,
    );
  });

  it('reports no problem for a valid annotation that the release reads', () => {
    const service = makeService({}, { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' } });
    expect(codes(service, [makePod()], { version: '1.23' })).toEqual([]);
  });

  it('reports no problem at 1,000 addresses, and one above', () => {
    const pods = Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` }));
    expect(codes(makeService(), pods.slice(0, 1000))).toEqual([]);
    expect(codes(makeService(), pods)).toEqual(['OverCapacityTruncated']);
    expect(codes(makeService(), pods, { version: '1.20' })).toEqual([]);
  });

  it('accepts a Service without metadata', () => {
    expect(explainService({}, [])).toMatchObject({ namespace: '', name: '', managed: false });
  });
});
