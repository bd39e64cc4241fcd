import type { ClientPort, Resource, WatchEvent, WatchOptions } from 'kube-endpoints/port';
import { hasReason } from '../../src/port/status.ts';
import type { Replacement } from './harness/hooks.ts';

/** A bug that the simulation must detect. */
export interface Bug {
  /** Changes of the product's sources. */
  readonly sources?: readonly Replacement[];
  /** Changes the API as the controllers see it. */
  readonly injectBug?: (port: ClientPort) => ClientPort;
}

export const bugs: Readonly<Record<string, Bug>> = {
  'no-stale-tracker': {
    sources: [
      {
        file: 'src/spec/slices/slices.ts',
        text: 'if (areSlicesStale(serviceState.written, existing, settings.profile))',
        newText: 'if (areSlicesStale(serviceState.written, existing, settings.profile) && false)',
      },
    ],
  },
  'no-stale-endpoints': {
    sources: [
      {
        file: 'src/spec/plan.ts',
        text: 'if (baseVersion !== undefined && baseVersion === serviceState.staleVersion)',
        newText: 'if (baseVersion !== undefined && baseVersion === serviceState.staleVersion && false)',
      },
    ],
  },
  'no-stale-mirror': {
    sources: [
      {
        file: 'src/spec/mirroring/mirror.ts',
        text: 'if (areSlicesStale(written, slices, settings.profile))',
        newText: 'if (areSlicesStale(written, slices, settings.profile) && false)',
      },
    ],
  },
  'missed-selector-change': {
    sources: [
      {
        file: 'packages/controllers/src/controllers/mirror-events.ts',
        text: "type === 'updated' ? hasSelector(old) !== hasSelector(object) :",
        newText: "type === 'updated' ? false :",
      },
    ],
  },
  'missed-tombstone': {
    sources: [
      {
        file: 'packages/controllers/src/cache/store.ts',
        text: 'if (!after.objects.has(key)) notify(',
        newText: 'if (!after.objects.has(key) && false) notify(',
      },
    ],
  },
  'uid-ignored': {
    sources: [
      {
        file: 'packages/controllers/src/cache/store.ts',
        text: 'if (version?.uid !== uid) return undefined;',
        newText: '',
      },
      {
        file: 'packages/controllers/src/cache/store.ts',
        text: 'before.uidOf(key) === after.uidOf(key)',
        newText: 'true',
      },
      {
        file: 'packages/controllers/src/controllers/pod-events.ts',
        text: "(old.metadata?.uid ?? '') !== (pod.metadata?.uid ?? '')",
        newText: 'old === undefined && pod === undefined',
      },
      {
        file: 'src/spec/slices/metadata.ts',
        text: "(uid ?? '') === (service.metadata?.uid ?? '') && kind === 'Service'",
        newText: "(uid ?? '') !== '' && kind === 'Service'",
      },
    ],
  },
  'early-write': {
    sources: [
      {
        file: 'packages/controllers/src/controllers/controllers.ts',
        text: 'if (!(await waitForCacheSync(caches, signal))) return;',
        newText: 'if (signal.aborted) await waitForCacheSync(caches, signal);',
      },
    ],
  },
  'lost-requeue': {
    sources: [{ file: 'packages/controllers/src/controllers/controller.ts', text: 'queue.addRateLimited(key);', newText: '' }],
  },
  'lost-dirty': {
    sources: [
      {
        file: 'packages/controllers/src/queue/processing-set.ts',
        text: 'if (item.dirty) waiting.push(item);',
        newText: 'if (item.dirty) items.delete(key);',
      },
    ],
  },
  'no-relist': {
    sources: [
      {
        file: 'packages/controllers/src/cache/reflector/stage.ts',
        text: 'lost || version === undefined || needsList(error) ?',
        newText: 'lost || version === undefined || (needsList(error) && !isExpired(error)) ?',
      },
    ],
  },
  'silent-410': { injectBug: (port) => ({ ...port, watch: (resource, options) => watchDespiteExpiry(port, resource, options ?? {}) }) },
};

/** Watches, and after 410 continues from the current version as if no event had been missed. */
async function* watchDespiteExpiry(port: ClientPort, resource: Resource, options: WatchOptions): AsyncGenerator<WatchEvent> {
  try {
    yield* port.watch(resource, options);
  } catch (error) {
    if (!hasReason(error, 'Expired')) throw error;
    const { metadata } = await port.list(resource, { limit: 1 });
    yield* port.watch(resource, { ...options, resourceVersion: metadata.resourceVersion });
  }
}
