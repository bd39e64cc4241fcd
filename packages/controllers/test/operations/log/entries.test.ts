import { ApiError } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { makeEvent } from '../../../src/events/event.ts';
import type { RuntimeEvent } from '../../../src/host/runtime-event.ts';
import { createLogger } from '../../../src/operations/index.ts';
import { type LogLevel, toErrorFields, toSeconds } from '../../../src/operations/log/entry.ts';
import { logLevels } from '../../../src/operations/log/logger.ts';
import { emptyPlan, informerEvent, plannedSlicesEvent, queuedEvent, syncedEvent, takenEvent } from '../runtime-events.ts';

const now = Date.UTC(2026, 0, 31, 12, 34, 56, 789);

function linesOf(level: LogLevel, events: readonly RuntimeEvent[], { dryRun = false } = {}): Record<string, unknown>[] {
  const lines: string[] = [];
  const { observer } = createLogger({ level, dryRun, write: (line) => void lines.push(line), now: () => now });
  for (const event of events) observer(event);
  for (const line of lines) expect(line).toMatch(/^\{.*\}\n$/);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const conflictError = new ApiError({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the object has been modified',
  reason: 'Conflict',
  code: 409,
});

const planWithCreate = { ...emptyPlan, create: [{} as never], reasons: [{ code: 'SliceMissing', message: '' } as const] };

const warningEvent = makeEvent(
  { object: { kind: 'Service', namespace: 'shop', name: 'web' }, type: 'Warning', reason: 'FailedToUpdateEndpoint', message: 'why' },
  { component: 'endpoint-controller' },
  'web.1',
  now,
);

describe('createLogger', () => {
  test.each<[LogLevel, string, RuntimeEvent]>([
    ['trace', 'queued', queuedEvent()],
    ['trace', 'taken', takenEvent()],
    ['debug', 'synced', syncedEvent()],
    ['debug', 'synced, requeued', syncedEvent({ outcome: 'requeued' })],
    ['info', 'written', syncedEvent({ writes: 1 })],
    ['info', 'written', syncedEvent({ outcome: 'requeued', writes: 1 })],
    ['warn', 'sync failed, will be retried', syncedEvent({ outcome: 'retried', error: conflictError, failures: 1 })],
    ['error', 'sync failed too often, dropped', syncedEvent({ outcome: 'dropped', error: conflictError, failures: 16, writes: 1 })],
    ['trace', 'planned', { kind: 'planned', controller: 'endpoints', key: 'shop/web', action: 'none', reasons: [] }],
    ['debug', 'planned', { kind: 'planned', controller: 'endpoints', key: 'shop/web', action: 'update', reasons: [] }],
    ['debug', 'planned', plannedSlicesEvent({ plan: planWithCreate })],
    ['info', 'informer is watching', informerEvent()],
    ['debug', 'informer is idle', informerEvent({ state: 'idle' })],
    ['warn', 'list or watch failed', informerEvent({ state: 'waiting', error: conflictError, delay: 800 })],
    ['trace', 'is no longer handled by this replica', { kind: 'disowned', controller: 'endpoints', key: 'shop/web' }],
    ['trace', 'request', { kind: 'request', verb: 'list', resource: 'pods', code: 200, milliseconds: 1 }],
    ['debug', 'request', { kind: 'request', verb: 'list', resource: 'pods', code: 429, milliseconds: 1 }],
    ['debug', 'request', { kind: 'request', verb: 'list', resource: 'pods', code: 0, milliseconds: 1 }],
    ['trace', 'waited for the rate limiter', { kind: 'throttled', verb: 'list', resource: 'pods', milliseconds: 50 }],
    ['debug', 'waited for the rate limiter', { kind: 'throttled', verb: 'list', resource: 'pods', milliseconds: 51 }],
    ['info', 'is the leader', { kind: 'leadership', identity: 'a', leads: true, leader: 'a' }],
    ['info', 'follows another leader', { kind: 'leadership', identity: 'a', leads: false, leader: 'b' }],
    ['info', 'is no longer the leader', { kind: 'leadership', identity: 'a', leads: false, leader: 'a' }],
    ['warn', 'there is no leader', { kind: 'leadership', identity: 'a', leads: false, leader: undefined, error: conflictError }],
    ['debug', 'Event created', { kind: 'event', event: warningEvent, outcome: 'created' }],
    ['warn', 'Event dropped', { kind: 'event', event: warningEvent, outcome: 'dropped', error: conflictError }],
    ['info', 'owns a shard of the Services', { kind: 'shards', identity: 'a', members: ['a', 'b'] }],
    ['warn', 'owns a shard of the Services', { kind: 'shards', identity: 'a', members: ['a', 'b'], error: new Error('no') }],
    ['warn', 'owns no shard of the Services', { kind: 'shards', identity: 'a', members: [], error: new Error('no') }],
    ['error', 'cannot run', { kind: 'missing', controller: 'service-lb', error: new RangeError('cloud is missing') }],
  ])('an event is logged at level %s with the message "%s"', (level, message, event) => {
    expect(linesOf(level, [event])).toMatchObject([{ level, msg: message, time: '2026-01-31T12:34:56.789Z' }]);
    const nextLevel = logLevels[logLevels.indexOf(level) + 1];
    if (nextLevel) expect(linesOf(nextLevel, [event])).toEqual([]);
  });

  test('a plan in a dry run is logged at level info', () => {
    expect(linesOf('info', [plannedSlicesEvent({ plan: planWithCreate })], { dryRun: true })).toMatchObject([
      { msg: 'planned, not written', controller: 'endpointslices', create: 1, reason: 'SliceMissing' },
    ]);
  });
});

describe('log entries', () => {
  test('the entry of a sync has the key, the outcome and the error', () => {
    const event = syncedEvent({ outcome: 'retried', error: conflictError, failures: 2, writes: 1 });
    expect(linesOf('info', [event])).toEqual([
      {
        level: 'warn',
        time: '2026-01-31T12:34:56.789Z',
        controller: 'endpoints',
        namespace: 'shop',
        name: 'web',
        outcome: 'retried',
        duration: 0.012346,
        writes: 1,
        failures: 2,
        error: 'the object has been modified',
        reason: 'Conflict',
        code: 409,
        msg: 'sync failed, will be retried',
      },
    ]);
  });

  test('an entry has the code of an error without a message', () => {
    const refusedError = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(linesOf('warn', [informerEvent({ state: 'waiting', error: refusedError })])).toMatchObject([
      { error: 'ECONNREFUSED', code: 'ECONNREFUSED' },
    ]);
    expect(linesOf('warn', [informerEvent({ state: 'waiting', error: 'text' })])).toMatchObject([{ error: 'text' }]);
  });

  test('the entry of an Event keeps the reason of the Event', () => {
    expect(linesOf('warn', [{ kind: 'event', event: warningEvent, outcome: 'refused', error: conflictError }])).toMatchObject([
      {
        kind: 'Service',
        namespace: 'shop',
        name: 'web',
        reason: 'FailedToUpdateEndpoint',
        text: 'why',
        error: 'the object has been modified',
      },
    ]);
  });

  test('an entry contains no credentials, even if the error does', () => {
    const error = Object.assign(new Error('Authorization: Bearer abc.def-0123456789 at https://me:pass@host/x'), {
      config: { token: 'abc.def-0123456789' },
    });
    const [line] = linesOf('warn', [informerEvent({ state: 'waiting', error })]);
    expect(line).toMatchObject({ error: 'Authorization: Bearer … at https://…@host/x' });
    expect(JSON.stringify(line)).not.toMatch(/0123456789|pass/);
  });
});

describe('toErrorFields', () => {
  test.each<[unknown, object]>([
    [undefined, {}],
    ['text', { error: 'text' }],
    [new Error('words'), { error: 'words' }],
    [Object.create(null), { error: '{}' }],
    [{ code: 7, message: 'https://a:b@c failed' }, { error: 'https://…@c failed' }],
    [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), { error: 'ECONNREFUSED', code: 'ECONNREFUSED' }],
    [conflictError, { error: 'the object has been modified', reason: 'Conflict', code: 409 }],
    [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), { error: 'refused', code: 'ECONNREFUSED' }],
    [Object.assign(new Error(''), { code: 12 }), { error: 'Error' }],
  ])('returns message, reason and code of %s', (error, fields) => {
    expect(toErrorFields(error)).toEqual(fields);
  });
});

test('toSeconds converts milliseconds', () => {
  expect(toSeconds(12.34567)).toBe(0.012346);
});
