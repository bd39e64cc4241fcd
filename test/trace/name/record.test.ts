import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import { createZone, queryNames } from '../../../src/trace/name/lookup.ts';
import { createRecordStep, findMeantService } from '../../../src/trace/name/record.ts';
import { parseTarget } from '../../../src/trace/target.ts';
import { makeCluster, makePod, makeService, shop } from '../shop.ts';

const headless = makeService('db', { clusterIP: 'None', clusterIPs: ['None'] });
const cluster = createCluster(makeCluster([...shop.services, headless], [...shop.pods, makePod('db-1', 5)]), {});
const look = (...names: string[]) => queryNames(names, createZone(cluster, 'shop', {}), {});
const of = (...names: string[]) => createRecordStep(look(...names), parseTarget('web'), cluster);

describe('createRecordStep', () => {
  it('leads to a Service by its address, or to the endpoints of a headless Service', () => {
    expect(of('web.shop.svc.cluster.local.').destination).toMatchObject({ kind: 'service', address: '10.96.0.10', role: 'cluster' });
    expect(of('db.shop.svc.cluster.local.').destination).toMatchObject({ kind: 'endpoints', addresses: ['10.1.0.5'], family: 'IPv4' });
  });

  it('returns the port of an SRV record', () => {
    expect(of('_http._tcp.web.shop.svc.cluster.local.').port).toBe('80');
    expect(of('_http._tcp.db.shop.svc.cluster.local.').port).toBe('8080');
    expect(of('web.shop.svc.cluster.local.')).not.toHaveProperty('port');
  });

  it('gives no remedy for names that the search path tries before the match', () => {
    const [before] = of('web.x.svc.cluster.local.', 'web.shop.svc.cluster.local.').record.step.leftOut;
    expect(before?.notes).toMatchObject([{ code: 'NamespaceNotFound' }]);
    expect(before?.notes[0]).not.toHaveProperty('remedy');
  });

  it('fails if no name resolves, with the most informative reason first', () => {
    const { record, destination } = of('gone.svc.cluster.local.', 'gone.shop.svc.cluster.local.', 'gone.');
    expect(record.step).toMatchObject({ outcome: 'error', title: 'No record' });
    expect([record.step.notes.map(({ code }) => code), destination]).toEqual([
      ['ServiceNotFound', 'NameNotFound', 'NameOfOthers'],
      { kind: 'nowhere' },
    ]);
  });
});

it('findMeantService finds the existing Service that a failed name refers to', () => {
  const { attempts } = look('_x._tcp.web.shop.svc.cluster.local.', 'gone.shop.svc.cluster.local.');
  expect(findMeantService(attempts, cluster).service?.metadata?.name).toBe('web');
  expect(findMeantService([], cluster)).toEqual({});
});
