import type { Effect } from 'kube-endpoints/internal';
import { expect, test } from 'vitest';
import { entryOf } from '../../../src/operations/log/entries.ts';
import type { LogLevel } from '../../../src/operations/log/entry.ts';
import { createLogger, logLevels } from '../../../src/operations/log/logger.ts';
import type { LoadBalancerEvent } from '../../../src/service-lb/load-balancer-event.ts';

const cloud = (outcome: 'answered' | 'failed' | 'late' | 'released', error?: unknown): LoadBalancerEvent => ({
  kind: 'cloud',
  call: 'ensure',
  key: 'shop/web',
  outcome,
  milliseconds: 1500,
  ...(error !== undefined && { error }),
});
const effect = (one: Effect, dryRun = false): LoadBalancerEvent => ({ kind: 'effect', key: 'shop/web', effect: one, dryRun });
const orphan = (outcome: 'found' | 'refuted' | 'deleted' | 'retried'): LoadBalancerEvent => ({
  kind: 'orphan',
  key: 'shop/web',
  uid: 'u1',
  outcome,
});
const nodes = (state: 'due' | 'begun' | 'ended'): LoadBalancerEvent => ({
  kind: 'nodes',
  state,
  milliseconds: 20,
  services: 3,
  failed: 1,
});

const service = { metadata: { namespace: 'shop', name: 'web' } };
const ensure: Effect = { do: 'ensure', service, nodes: [{}, {}] };
const event: Effect = { do: 'event', service, type: 'Normal', reason: 'EnsuredLoadBalancer', message: 'Ensured load balancer' };
const patch: Effect = { do: 'patch', service, patch: { metadata: {}, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } } };

test.each<[LogLevel, string, LoadBalancerEvent, object]>([
  ['debug', 'the cloud answered', cloud('answered'), { namespace: 'shop', name: 'web', call: 'ensure', duration: 1.5 }],
  ['warn', 'the cloud failed', cloud('failed', new Error('no quota')), { error: 'no quota' }],
  ['warn', 'the cloud did not answer in time', cloud('late'), {}],
  ['info', 'cancelled a call to the cloud', cloud('released'), {}],
  ['debug', 'the cloud answered', { kind: 'cloud', call: 'list', key: '', outcome: 'answered', milliseconds: 1 }, { call: 'list' }],
  ['debug', 'planned', effect(ensure), { do: 'ensure', nodes: 2 }],
  ['info', 'planned, not done', effect(ensure, true), { do: 'ensure', nodes: 2 }],
  ['debug', 'planned', effect(patch), { do: 'patch', fields: 'metadata, status' }],
  ['trace', 'planned', effect({ do: 'get', service }), { do: 'get' }],
  ['trace', 'planned', effect(event), { do: 'event', type: 'Normal', reason: 'EnsuredLoadBalancer' }],
  ['info', 'planned, not done', effect({ do: 'delete', service }, true), { do: 'delete' }],
  ['debug', 'node sync is due', nodes('due'), {}],
  ['debug', 'node sync started', nodes('begun'), { duration: 0.02 }],
  ['debug', 'node sync finished', nodes('ended'), { services: 3, failed: 1 }],
  [
    'info',
    'found a load balancer without a Service, not deleted (dry run)',
    orphan('found'),
    { namespace: 'shop', name: 'web', uid: 'u1' },
  ],
  ['debug', 'the Service of the load balancer exists after all', orphan('refuted'), {}],
  ['info', 'deleted a load balancer without a Service', orphan('deleted'), {}],
  ['warn', 'could not delete a load balancer without a Service, will retry', orphan('retried'), {}],
])('%s: %s', (level, message, happening, fields) => {
  expect(entryOf(happening)).toMatchObject({ level, message, fields: { controller: 'service-lb', ...fields } });
  const lines: string[] = [];
  createLogger({ level, write: (line) => void lines.push(line) }).observer(happening);
  const above = logLevels[logLevels.indexOf(level) + 1];
  if (above) createLogger({ level: above, write: (line) => void lines.push(line) }).observer(happening);
  expect(lines).toHaveLength(1);
});

test('an entry contains no address of a status', () => {
  expect(JSON.stringify(entryOf(effect(patch, true)))).not.toContain('192.0.2.1');
});
