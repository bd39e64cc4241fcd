import type { PodFeed, Reconciler } from '../../src/index.ts';
import type { Pod, Service } from '../../src/types/index.ts';

/** Builds the pod feed of one Service from full pod lists. */
interface FeedHost {
  /** Returns the feed for these pods, with the changes since the last call. */
  updateFeed(service: Service | undefined, pods: readonly Pod[]): PodFeed;
  /** Clears the changes after the feed was processed. */
  clearChanges(): void;
}

/** Creates a feed host for one Service, which detects changed pods by comparing their JSON. */
export function createFeedHost(): FeedHost {
  let lastTexts = new Map<string, string>();
  let selectedPods = new Map<string, Pod>();
  const changes = new Map<string, Pod | undefined>();
  return {
    updateFeed(service, pods) {
      selectedPods = new Map(pods.filter((pod) => service && isSelected(pod, service)).map((pod) => [pod.metadata?.name ?? '', pod]));
      const texts = new Map([...selectedPods].map(([name, pod]) => [name, JSON.stringify(pod)]));
      for (const [name, text] of texts) if (lastTexts.get(name) !== text) changes.set(name, selectedPods.get(name));
      for (const name of lastTexts.keys()) if (!texts.has(name)) changes.set(name, undefined);
      lastTexts = texts;
      return { all: () => selectedPods.values(), changes };
    },
    clearChanges: () => changes.clear(),
  };
}

function isSelected({ metadata }: Pod, service: Service): boolean {
  const selector = Object.entries(service.spec?.selector ?? {});
  const isSameNamespace = (metadata?.namespace || '') === (service.metadata?.namespace || '');
  return !!service.spec?.selector && isSameNamespace && selector.every(([key, value]) => metadata?.labels?.[key] === value);
}

/** Wraps a reconciler so that it receives pod feeds instead of pod lists; while `usesFeeds` returns false, it receives the lists. */
export function withPodFeeds(reconciler: Reconciler, usesFeeds: () => boolean = () => true): Reconciler {
  const hosts = new Map<string, FeedHost>();
  const hostOf = (controller: string, key: string): FeedHost => {
    const host = hosts.get(`${controller} ${key}`) ?? createFeedHost();
    hosts.set(`${controller} ${key}`, host);
    return host;
  };
  const callWithFeed = <Plan>(host: FeedHost, service: Service | undefined, pods: readonly Pod[], call: (feed: PodFeed) => Plan): Plan => {
    try {
      return call(host.updateFeed(service, pods));
    } finally {
      host.clearChanges();
    }
  };
  return {
    ...reconciler,
    reconcile(input) {
      if (!usesFeeds()) return reconciler.reconcile(input);
      const host = hostOf('endpoints', input.key);
      return callWithFeed(host, input.service, input.pods as readonly Pod[], (pods) => reconciler.reconcile({ ...input, pods }));
    },
    reconcileSlices(input) {
      if (!usesFeeds()) return reconciler.reconcileSlices(input);
      const host = hostOf('slices', input.key);
      return callWithFeed(host, input.service, input.pods as readonly Pod[], (pods) => reconciler.reconcileSlices({ ...input, pods }));
    },
  };
}
