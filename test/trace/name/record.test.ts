import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/trace/cluster.ts';
import { createZone, queryNames } from '../../../src/trace/name/lookup.ts';
import { createRecordStep, findReferencedService } from '../../../src/trace/name/record.ts';
import { parseTarget } from '../../../src/trace/target.ts';
import { makeCluster, makePod, makeService, shop } from '../shop.ts';

const headlessService = makeService('db', { clusterIP: 'None', clusterIPs: ['None'] });
const cluster = createCluster(makeCluster([...shop.services, headlessService], [...shop.pods, makePod('db-1', 5)]), {});
const query = (...names: string[]) => queryNames(names, createZone(cluster, 'shop', {}), {});
const recordStepOf = (...names: string[]) => createRecordStep(query(...names), parseTarget('web'), cluster);

describe('createRecordStep', () => {
  it('leads to a Service by its address, or to the endpoints of a headless Service', () => {
    expect(recordStepOf('web.shop.svc.cluster.local.').destination).toMatchObject({
      kind: 'service',
      address: '10.96.0.10',
      role: 'cluster',
    });
    expect(recordStepOf('db.shop.svc.cluster.local.').destination).toMatchObject({
      kind: 'endpoints',
      addresses: ['10.1.0.5'],
      family: 'IPv4',
    });
  });

  it('returns the port of an SRV record', () => {
    expect(recordStepOf('_http._tcp.web.shop.svc.cluster.local.').port).toBe('80');
    expect(recordStepOf('_http._tcp.db.shop.svc.cluster.local.').port).toBe('8080');
    expect(recordStepOf('web.shop.svc.cluster.local.')).not.toHaveProperty('port');
  });

  it('adds no remedy to names that are queried before the one with records', () => {
    const [earlierName] = recordStepOf('web.x.svc.cluster.local.', 'web.shop.svc.cluster.local.').record.step.leftOut;
    expect(earlierName?.notes).toMatchObject([{ code: 'NamespaceNotFound' }]);
    expect(earlierName?.notes[0]).not.toHaveProperty('remedy');
  });

  it('fails if no name resolves, with the most informative reason first', () => {
    const { record, destination } = recordStepOf('gone.svc.cluster.local.', 'gone.shop.svc.cluster.local.', 'gone.');
    expect(record.step).toMatchObject({ outcome: 'error', title: 'No record' });
    expect([record.step.notes.map(({ code }) => code), destination]).toEqual([
      ['ServiceNotFound', 'NameNotFound', 'NameForwarded'],
      { kind: 'nowhere' },
    ]);
  });
});

it('findReferencedService finds the existing Service that a failed name refers to', () => {
  const { attempts } = query('_x._tcp.web.shop.svc.cluster.local.', 'gone.shop.svc.cluster.local.');
  expect(findReferencedService(attempts, cluster).service?.metadata?.name).toBe('web');
  expect(findReferencedService([], cluster)).toEqual({});
});
