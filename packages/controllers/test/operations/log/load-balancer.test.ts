import type { Effect } from 'kube-endpoints/internal';
import { expect, test } from 'vitest';
import { createEntry } from '../../../src/operations/log/entries.ts';
import type { LogLevel } from '../../../src/operations/log/entry.ts';
import { createLogger, logLevels } from '../../../src/operations/log/logger.ts';
import type { LoadBalancerEvent } from '../../../src/service-lb/load-balancer-event.ts';

const cloudEvent = (outcome: 'answered' | 'failed' | 'late' | 'released', error?: unknown): LoadBalancerEvent => ({
  kind: 'cloud',
  call: 'ensure',
  key: 'shop/web',
  outcome,
  milliseconds: 1500,
  ...(error !== undefined && { error }),
});
const effectEvent = (effect: Effect, { dryRun = false } = {}): LoadBalancerEvent => ({ kind: 'effect', key: 'shop/web', effect, dryRun });
const orphanEvent = (outcome: 'found' | 'refuted' | 'deleted' | 'retried'): LoadBalancerEvent => ({
  kind: 'orphan',
  key: 'shop/web',
  uid: 'u1',
  outcome,
});
const nodeSyncEvent = (state: 'due' | 'begun' | 'ended'): LoadBalancerEvent => ({
  kind: 'nodes',
  state,
  milliseconds: 20,
  services: 3,
  failed: 1,
});

const service = { metadata: { namespace: 'shop', name: 'web' } };
const ensureEffect: Effect = { do: 'ensure', service, nodes: [{}, {}] };
const recordEventEffect: Effect = { do: 'event', service, type: 'Normal', reason: 'EnsuredLoadBalancer', message: 'Ensured load balancer' };
const patchEffect: Effect = { do: 'patch', service, patch: { metadata: {}, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } } };

test.each<[LogLevel, string, LoadBalancerEvent, object]>([
  ['debug', 'the cloud answered', cloudEvent('answered'), { namespace: 'shop', name: 'web', call: 'ensure', duration: 1.5 }],
  ['warn', 'the cloud failed', cloudEvent('failed', new Error('no quota')), { error: 'no quota' }],
  ['warn', 'the cloud did not answer in time', cloudEvent('late'), {}],
  ['info', 'cancelled a call to the cloud', cloudEvent('released'), {}],
  ['debug', 'the cloud answered', { kind: 'cloud', call: 'list', key: '', outcome: 'answered', milliseconds: 1 }, { call: 'list' }],
  ['debug', 'planned', effectEvent(ensureEffect), { do: 'ensure', nodes: 2 }],
  ['info', 'planned, not done', effectEvent(ensureEffect, { dryRun: true }), { do: 'ensure', nodes: 2 }],
  ['debug', 'planned', effectEvent(patchEffect), { do: 'patch', fields: 'metadata, status' }],
  ['trace', 'planned', effectEvent({ do: 'get', service }), { do: 'get' }],
  ['trace', 'planned', effectEvent(recordEventEffect), { do: 'event', type: 'Normal', reason: 'EnsuredLoadBalancer' }],
  ['info', 'planned, not done', effectEvent({ do: 'delete', service }, { dryRun: true }), { do: 'delete' }],
  ['debug', 'node sync is due', nodeSyncEvent('due'), {}],
  ['debug', 'node sync started', nodeSyncEvent('begun'), { duration: 0.02 }],
  ['debug', 'node sync finished', nodeSyncEvent('ended'), { services: 3, failed: 1 }],
  [
    'info',
    'found a load balancer without a Service, not deleted (dry run)',
    orphanEvent('found'),
    { namespace: 'shop', name: 'web', uid: 'u1' },
  ],
  ['debug', 'the Service of the load balancer exists after all', orphanEvent('refuted'), {}],
  ['info', 'deleted a load balancer without a Service', orphanEvent('deleted'), {}],
  ['warn', 'could not delete a load balancer without a Service, will retry', orphanEvent('retried'), {}],
])('a load-balancer event is logged at level %s with the message "%s"', (level, message, event, fields) => {
  expect(createEntry(event)).toMatchObject({ level, message, fields: { controller: 'service-lb', ...fields } });
  const lines: string[] = [];
  createLogger({ level, write: (line) => void lines.push(line) }).observer(event);
  const higherLevel = logLevels[logLevels.indexOf(level) + 1];
  if (higherLevel) createLogger({ level: higherLevel, write: (line) => void lines.push(line) }).observer(event);
  expect(lines).toHaveLength(1);
});

test('the log entry of a status patch does not contain the addresses of the load balancer', () => {
  expect(JSON.stringify(createEntry(effectEvent(patchEffect, { dryRun: true })))).not.toContain('192.0.2.1');
});
