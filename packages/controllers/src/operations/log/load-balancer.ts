import type { Effect } from 'kube-endpoints/internal';
import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { EventOf } from '../../host/index.ts';
import type { CloudOutcome, LoadBalancerEvent } from '../../service-lb/load-balancer-event.ts';
import { type LogEntry, type LogLevel, toErrorFields, toSeconds } from './entry.ts';

/** Creates the log entry for an event of the service load-balancer controller. */
export function createLoadBalancerEntry(event: LoadBalancerEvent, dryRun: boolean): LogEntry {
  switch (event.kind) {
    case 'cloud':
      return createCloudEntry(event);
    case 'effect':
      return createEffectEntry(event, dryRun || event.dryRun);
    case 'nodes': {
      const { state, milliseconds, services, failed } = event;
      const counts = state === 'ended' && { services, failed };
      return { level: 'debug', message: nodeSyncMessages[state], fields: { ...baseFields, duration: toSeconds(milliseconds), ...counts } };
    }
    case 'orphan': {
      const { key, uid, outcome, error } = event;
      const { level, message } = orphanMessages[outcome];
      return { level, message, fields: { ...baseFields, ...splitMetaNamespaceKey(key), uid, ...toErrorFields(error) } };
    }
  }
}

const baseFields = { controller: 'service-lb' } as const;

const nodeSyncMessages: Readonly<Record<EventOf<'nodes'>['state'], string>> = {
  due: 'node sync is due',
  begun: 'node sync started',
  ended: 'node sync finished',
};

const orphanMessages: Readonly<Record<EventOf<'orphan'>['outcome'], { readonly level: LogLevel; readonly message: string }>> = {
  found: { level: 'info', message: 'found a load balancer without a Service, not deleted (dry run)' },
  refuted: { level: 'debug', message: 'the Service of the load balancer exists after all' },
  deleted: { level: 'info', message: 'deleted a load balancer without a Service' },
  retried: { level: 'warn', message: 'could not delete a load balancer without a Service, will retry' },
};

const cloudMessages: Readonly<Record<CloudOutcome, { readonly level: LogLevel; readonly message: string }>> = {
  answered: { level: 'debug', message: 'the cloud answered' },
  failed: { level: 'warn', message: 'the cloud failed' },
  late: { level: 'warn', message: 'the cloud did not answer in time' },
  released: { level: 'info', message: 'cancelled a call to the cloud' },
};

function createCloudEntry({ call, key, outcome, milliseconds, error }: EventOf<'cloud'>): LogEntry {
  const { level, message } = cloudMessages[outcome];
  const service = key === '' ? {} : splitMetaNamespaceKey(key);
  return { level, message, fields: { ...baseFields, ...service, call, duration: toSeconds(milliseconds), ...toErrorFields(error) } };
}

/** Logs only the field names of a patch, because a status may contain private addresses. */
function createEffectEntry({ key, effect }: EventOf<'effect'>, dryRun: boolean): LogEntry {
  const isChange = effect.do !== 'get' && effect.do !== 'event';
  return {
    level: isChange ? (dryRun ? 'info' : 'debug') : 'trace',
    message: dryRun ? 'planned, not done' : 'planned',
    fields: { ...baseFields, ...splitMetaNamespaceKey(key), do: effect.do, ...detailsOf(effect) },
  };
}

function detailsOf(effect: Effect): Readonly<Record<string, unknown>> {
  if (effect.do === 'ensure' || effect.do === 'update') return { nodes: effect.nodes.length };
  if (effect.do === 'patch') return { fields: Object.keys(effect.patch).join(', ') };
  return effect.do === 'event' ? { type: effect.type, reason: effect.reason } : {};
}
