import { describe, expect, it } from 'vitest';
import { codesOf, crashingStatus, labelsOf, leftOutOf, makeCluster, makePod, makeService, outcomesOf, runTrace, stepOf } from '../shop.ts';

const headlessSpec = { clusterIP: 'None', clusterIPs: ['None'] };
const makeMember = (number: number, fields = {}) =>
  makePod(`db-${number}`, number, { spec: { hostname: `db-${number}`, subdomain: 'db' }, ...fields });
const cluster = makeCluster([makeService('db', headlessSpec)], [makeMember(1), makeMember(2), makeMember(3, { status: crashingStatus })]);

describe('a trace to a headless Service', () => {
  it('bypasses the rules of nodes and reaches its endpoints directly', () => {
    const trace = runTrace('db', cluster);
    expect(outcomesOf(trace)).toBe('name ok, record ok, service ok, policy skipped, endpoints warning, pod warning, readiness warning');
    expect(codesOf(trace, 'record')).toEqual(['HeadlessEndpoints', 'AnswerBypassesRules']);
    expect(codesOf(trace, 'service')[0]).toBe('ServiceIsHeadless');
    expect([labelsOf(trace, 'endpoints'), leftOutOf(trace, 'endpoints')]).toEqual([
      ['db-1 10.1.0.1', 'db-2 10.1.0.2'],
      ['db-3 10.1.0.3: NotReady'],
    ]);
    expect(trace.verdict).toBe(
      'db reaches 2 endpoints of Service shop/db, but with problems: db-3 is not ready: the container app is not running: waiting: CrashLoopBackOff.',
    );
  });

  it("reaches only the named endpoint if the target is that endpoint's name", () => {
    const trace = runTrace('db-1.db', cluster);
    expect([labelsOf(trace, 'endpoints'), leftOutOf(trace, 'endpoints')[0]]).toEqual([['db-1 10.1.0.1'], 'db-2 10.1.0.2: NotInAnswer']);
    expect(codesOf(trace, 'record')[0]).toBe('EndpointName');
  });

  it('does not translate ports', () => {
    const trace = runTrace('db:80', cluster);
    expect([trace.outcome, stepOf(trace, 'endpoints').notes[0]]).toMatchObject([
      'unreachable',
      { code: 'PortNotTranslated', remedy: expect.stringContaining('port 8080') },
    ]);
    expect(runTrace('db:8080', cluster).outcome).toBe('degraded');
    expect(runTrace('db:http', cluster).outcome).toBe('degraded');
  });

  it('leaves out terminating endpoints', () => {
    const objects = makeCluster(
      [makeService('db', headlessSpec)],
      [makeMember(1), makeMember(2, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    );
    const trace = runTrace('db', objects);
    expect([trace.outcome, leftOutOf(trace, 'endpoints')]).toEqual(['reached', ['db-2 10.1.0.2: TerminatingNotInAnswer']]);
  });

  it('is unreachable without pods', () => {
    const trace = runTrace('db', makeCluster([makeService('db', headlessSpec)], []));
    expect([trace.outcome, codesOf(trace, 'endpoints')]).toEqual(['unreachable', ['NoEndpoints']]);
    expect(trace.verdict).toContain('matches no pod; namespace "shop" has no pods');
  });
});
