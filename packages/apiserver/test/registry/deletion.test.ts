import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { decideDeletion, markAsDeleting, updateGarbageCollectionFinalizers } from '../../src/registry/deletion.ts';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { statusOf } from '../store/support.ts';
import { object } from './support.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const gracefulStrategy = createSchemalessStrategy({
  resource: resources.pods,
  gracePeriod: (_, requestedSeconds) => requestedSeconds ?? 30,
});
const immediateStrategy = createSchemalessStrategy({ resource: resources.pods });
const createTerminating = (seconds: number, until: string) =>
  object('a', { metadata: { deletionTimestamp: until, deletionGracePeriodSeconds: seconds, generation: 4 } });

describe('decideDeletion', () => {
  it('deletes at once if the resource has no grace period', () => {
    expect(decideDeletion(immediateStrategy, object('a'), { gracePeriodSeconds: 5 }, now)).toEqual({ kind: 'now' });
  });

  it('raises the generation, and replaces a negative grace period by one second', () => {
    const first = decideDeletion(gracefulStrategy, object('a', { metadata: { generation: 1 } }), { gracePeriodSeconds: -3 }, now);
    const metadata = { generation: 2, deletionTimestamp: '2026-01-02T03:04:06Z', deletionGracePeriodSeconds: 1 };
    expect(first).toEqual({ kind: 'later', periodSeconds: 1, object: object('a', { metadata }) });
  });

  it('deletes at once if the deletionTimestamp has passed', () => {
    expect(decideDeletion(gracefulStrategy, createTerminating(0, '2026-01-02T03:04:05Z'), {}, now).kind).toBe('now');
  });

  it('keeps the grace period unless a shorter one is requested', () => {
    const terminatingPod = createTerminating(30, '2026-01-02T03:04:35Z');
    for (const options of [{}, { gracePeriodSeconds: 30 }, { gracePeriodSeconds: 31 }]) {
      expect(decideDeletion(gracefulStrategy, terminatingPod, options, now)).toEqual({ kind: 'pending' });
    }
  });

  it('never sets a deletionTimestamp in the past', () => {
    const shortened = decideDeletion(gracefulStrategy, createTerminating(30, '2026-01-02T03:04:06Z'), { gracePeriodSeconds: 10 }, now);
    expect(shortened).toMatchObject({
      periodSeconds: 1,
      object: { metadata: { deletionTimestamp: '2026-01-02T03:04:05Z', generation: 4 } },
    });
    const immediate = decideDeletion(gracefulStrategy, createTerminating(30, '2026-01-02T03:04:06Z'), { gracePeriodSeconds: 0 }, now);
    expect(immediate).toMatchObject({ periodSeconds: 0, object: { metadata: { deletionGracePeriodSeconds: 0 } } });
  });

  it('reports the kind in the error if a precondition fails', () => {
    const record = object('a', { metadata: { uid: 'u', resourceVersion: '7' } });
    const { message, details } = statusOf(() => decideDeletion(immediateStrategy, record, { preconditions: { uid: 'v' } }, now));
    expect(message).toBe(
      'Operation cannot be fulfilled on Pod "a": the UID in the precondition (v) does not match the UID in record (u). The object might have been deleted and then recreated',
    );
    expect(details).toEqual({ name: 'a', kind: 'Pod' });
    expect(statusOf(() => decideDeletion(immediateStrategy, record, { preconditions: { resourceVersion: '6' } }, now)).message).toBe(
      'Operation cannot be fulfilled on Pod "a": the ResourceVersion in the precondition (6) does not match the ResourceVersion in record (7). The object might have been modified',
    );
  });
});

describe('markAsDeleting', () => {
  it('sets deletionTimestamp and generation once', () => {
    const marked = markAsDeleting(object('a', { metadata: { generation: 1 } }), now);
    expect(marked.metadata).toMatchObject({ generation: 2, deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0 });
    expect(markAsDeleting(marked, now + 5000)).toEqual(marked);
  });

  it('moves a future deletionTimestamp to now', () => {
    expect(markAsDeleting(createTerminating(30, '2026-01-02T03:04:35Z'), now).metadata.deletionTimestamp).toBe('2026-01-02T03:04:05Z');
  });
});

describe('updateGarbageCollectionFinalizers', () => {
  const withFinalizers = (...finalizers: string[]) => object('a', { metadata: { finalizers } });
  const finalizersAfter = (finalizers: string[], propagationPolicy?: 'Orphan' | 'Foreground' | 'Background') =>
    updateGarbageCollectionFinalizers(immediateStrategy, withFinalizers(...finalizers), propagationPolicy ? { propagationPolicy } : {})
      .metadata.finalizers;

  it('sets the finalizers of the propagation policy', () => {
    expect(finalizersAfter(['x'], 'Orphan')).toEqual(['x', 'orphan']);
    expect(finalizersAfter(['x', 'orphan'], 'Foreground')).toEqual(['x', 'foregroundDeletion']);
    expect(finalizersAfter(['orphan'], 'Background')).toBeUndefined();
  });

  it('keeps the finalizers without a propagation policy', () => {
    expect(finalizersAfter(['orphan', 'x'])).toEqual(['orphan', 'x']);
    expect(finalizersAfter(['x'])).toEqual(['x']);
  });
});
