import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { SyncOutcome } from '../../controllers/index.ts';
import type { EventOf, RuntimeEvent } from '../../host/index.ts';
import { type LogEntry, type LogLevel, toErrorFields, toSeconds } from './entry.ts';
import { createLoadBalancerEntry } from './load-balancer.ts';

/** Creates the log entry for an event. Never includes objects, request bodies or headers: they may hold secrets. */
export function createEntry(event: RuntimeEvent, { dryRun = false }: { readonly dryRun?: boolean } = {}): LogEntry {
  switch (event.kind) {
    case 'informer':
      return createInformerEntry(event);
    case 'queued': {
      const { queue, key, length, retry } = event;
      return { level: 'trace', message: 'queued', fields: { controller: queue, ...splitMetaNamespaceKey(key), queued: length, retry } };
    }
    case 'taken': {
      const { queue, key, length, waited } = event;
      return {
        level: 'trace',
        message: 'taken',
        fields: { controller: queue, ...splitMetaNamespaceKey(key), queued: length, waited: toSeconds(waited) },
      };
    }
    case 'synced':
      return createSyncEntry(event);
    case 'planned':
      return createPlanEntry(event, dryRun);
    case 'disowned': {
      const { controller, key } = event;
      return { level: 'trace', message: 'is no longer handled by this replica', fields: { controller, ...splitMetaNamespaceKey(key) } };
    }
    case 'request': {
      const { verb, resource, code, milliseconds } = event;
      const level = code === 0 || code === 429 || code >= 500 ? 'debug' : 'trace';
      return { level, message: 'request', fields: { verb, resource, code, duration: toSeconds(milliseconds) } };
    }
    case 'throttled': {
      const { verb, resource, milliseconds } = event;
      const level = milliseconds > longThrottleMs ? 'debug' : 'trace';
      return { level, message: 'waited for the rate limiter', fields: { verb, resource, duration: toSeconds(milliseconds) } };
    }
    case 'leadership':
      return createLeadershipEntry(event);
    case 'shards': {
      const { identity, members, error } = event;
      const message = members.length > 0 ? 'owns a shard of the Services' : 'owns no shard of the Services';
      return { level: error === undefined ? 'info' : 'warn', message, fields: { identity, members, ...toErrorFields(error) } };
    }
    case 'event':
      return createEventEntry(event);
    case 'missing':
      return { level: 'error', message: 'cannot run', fields: { controller: event.controller, ...toErrorFields(event.error) } };
    default:
      return createLoadBalancerEntry(event, dryRun);
  }
}

/** As `longThrottleLatency` of client-go. */
const longThrottleMs = 50;

function createInformerEntry({ resource, state, objects, error, delay }: EventOf<'informer'>): LogEntry {
  const failed = state === 'waiting' && error !== undefined;
  const wait = delay === undefined ? {} : { delay: toSeconds(delay) };
  return {
    level: failed ? 'warn' : state === 'idle' ? 'debug' : 'info',
    message: failed ? 'list or watch failed' : `informer is ${state}`,
    fields: { resource, objects, ...wait, ...toErrorFields(error) },
  };
}

function createLeadershipEntry({ identity, leads, leader, error }: EventOf<'leadership'>): LogEntry {
  const messageWithoutLead =
    leader === undefined ? 'there is no leader' : leader === identity ? 'is no longer the leader' : 'follows another leader';
  const message = leads ? 'is the leader' : messageWithoutLead;
  return { level: error === undefined ? 'info' : 'warn', message, fields: { identity, leader, ...toErrorFields(error) } };
}

const syncMessages: Readonly<Record<SyncOutcome, { readonly level: LogLevel; readonly message: string }>> = {
  success: { level: 'debug', message: 'synced' },
  requeued: { level: 'debug', message: 'synced, requeued' },
  retried: { level: 'warn', message: 'sync failed, will be retried' },
  dropped: { level: 'error', message: 'sync failed too often, dropped' },
};

function createSyncEntry({ controller, key, outcome, milliseconds, writes, error, failures }: EventOf<'synced'>): LogEntry {
  const { level, message } = syncMessages[outcome];
  return {
    level: level === 'debug' && writes > 0 ? 'info' : level,
    message: level === 'debug' && writes > 0 ? 'written' : message,
    fields: {
      controller,
      ...splitMetaNamespaceKey(key),
      outcome,
      duration: toSeconds(milliseconds),
      writes,
      ...(failures > 0 && { failures }),
      ...toErrorFields(error),
    },
  };
}

function createPlanEntry(event: EventOf<'planned'>, dryRun: boolean): LogEntry {
  const base = { controller: event.controller, ...splitMetaNamespaceKey(event.key) };
  const changes = changesOf(event);
  const reasons = [...new Set((event.controller === 'endpoints' ? event : event.plan).reasons.map(({ code }) => code))];
  const level = Object.keys(changes).length === 0 ? 'trace' : dryRun ? 'info' : 'debug';
  return { level, message: dryRun ? 'planned, not written' : 'planned', fields: { ...base, ...changes, reason: reasons.join(', ') } };
}

function changesOf(event: EventOf<'planned'>): Readonly<Record<string, unknown>> {
  if (event.controller === 'endpoints') return event.action === 'none' ? {} : { action: event.action };
  const { create, update, delete: deletions } = event.plan;
  return Object.fromEntries(
    Object.entries({ create: create.length, update: update.length, delete: deletions.length }).filter(([, count]) => count > 0),
  );
}

function createEventEntry({ event, outcome, error }: EventOf<'event'>): LogEntry {
  const { kind, namespace, name } = event.involvedObject;
  const isLost = outcome === 'refused' || outcome === 'dropped';
  return {
    level: isLost ? 'warn' : 'debug',
    message: `Event ${outcome}`,
    fields: { kind, namespace, name, type: event.type, reason: event.reason, text: event.message, ...toErrorText(error) },
  };
}

/** Only the message of an error, because `reason` is already the reason of the Event. */
const toErrorText = (error: unknown): { readonly error?: string } => {
  const { error: text } = toErrorFields(error);
  return text === undefined ? {} : { error: text };
};
