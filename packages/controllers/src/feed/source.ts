import { slicesFromEndpoints } from 'kube-endpoints';
import { serviceNameLabel } from 'kube-endpoints/internal';
import { requireWholeNumber, type Selection } from 'kube-endpoints/internal/apimachinery';
import { type ClientPort, resources, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { createInformer, createProjections, type Informer, type InformerObserver } from '../cache/index.ts';
import { createSliceIndex, isElectionLock, serviceKeyOfSlice } from '../controllers/object-events.ts';

/** Reads the endpoints of Services from the cluster. */
export interface Source {
  readonly informer: Pick<Informer<unknown>, 'run' | 'hasSynced'>;
  /** Keys of the selected Services that have endpoints data. */
  keys(): Iterable<string>;
  /** The endpoints of a Service as slices; undefined if there is no object for it. */
  slicesOf(key: string): readonly EndpointSliceInput[] | undefined;
}

export interface SourceListener {
  /** The endpoints data of a Service has changed. */
  onChanged(key: string): void;
  /** The cache was listed again, or the watch resumed after a lost connection. */
  onConnected(): void;
}

export function createSource(settings: FeedSettings, listener: SourceListener): Source {
  const { source, services } = settings;
  const selectedServices = services && new Set(services);
  const reportChange = (key: string | undefined): void => {
    if (key !== undefined && (!selectedServices || selectedServices.has(key))) listener.onChanged(key);
  };
  const onEvent = combineObservers(createConnectionObserver(listener.onConnected), settings.onEvent);
  return source === 'endpoints'
    ? createEndpointsSource(settings, reportChange, onEvent)
    : createSliceSource(settings, reportChange, onEvent);
}

type OnChanged = (key: string | undefined) => void;

function createSliceSource(settings: FeedSettings, reportChange: OnChanged, onEvent: InformerObserver): Source {
  const { port, clock, random, services } = settings;
  const selection = { ...selectionOf(settings), ...labelsOf(services) };
  const project = createProjections().slice;
  const informer = createInformer({ port, resource: resources.endpointSlices, selection, project, clock, random, onEvent });
  const index = createSliceIndex();
  const selectedServices = services && new Set(services);
  informer.listen((event) => {
    index.handle(event);
    const key = serviceKeyOfSlice(event.object);
    reportChange(key);
    const oldKey = event.type === 'updated' ? serviceKeyOfSlice(event.old) : key;
    if (oldKey !== key) reportChange(oldKey);
  });
  return {
    informer,
    *keys() {
      const yieldedKeys = new Set<string>();
      for (const slice of informer.cache.values()) {
        const key = serviceKeyOfSlice(slice);
        if (key === undefined || yieldedKeys.has(key) || (selectedServices && !selectedServices.has(key))) continue;
        yieldedKeys.add(key);
        yield key;
      }
    },
    slicesOf(key) {
      const slices = index.slicesOf(key);
      return slices.length > 0 ? slices : undefined;
    },
  };
}

function createEndpointsSource(settings: FeedSettings, reportChange: OnChanged, onEvent: InformerObserver): Source {
  const { port, clock, random, services } = settings;
  const projection = createProjections().endpoints;
  const informer = createInformer<EndpointsInput>({
    port,
    resource: resources.endpoints,
    selection: selectionOf(settings),
    project(object) {
      const endpoints = projection(object);
      return isElectionLock(endpoints) ? undefined : endpoints;
    },
    clock,
    random,
    onEvent,
  });
  informer.listen((_, key) => reportChange(key));
  return {
    informer,
    keys: () => (services ? services.filter((key) => informer.cache.get(key)) : informer.cache.keys()),
    slicesOf(key) {
      const endpoints = informer.cache.get(key);
      return endpoints && slicesFromEndpoints(endpoints, { maxEndpointsPerSlice: 1000 });
    },
  };
}

/** Selects one namespace if it is configured, or if all selected Services are in it. */
function selectionOf({ namespace, services }: FeedSettings): Selection {
  if (namespace !== undefined) return { namespace };
  const namespaces = new Set(services?.map((key) => key.slice(0, key.indexOf('/'))));
  const [firstNamespace] = namespaces;
  return namespaces.size === 1 && firstNamespace !== undefined ? { namespace: firstNamespace } : {};
}

/** Selects up to 20 Services by label. A selector for more Services could exceed the maximum length of a request. */
function labelsOf(services: readonly string[] | undefined): Selection {
  if (!services || services.length === 0 || services.length > 20) return {};
  const names = [...new Set(services.map((key) => key.slice(key.indexOf('/') + 1)))];
  return { labelSelector: `${serviceNameLabel} in (${names.join(',')})` };
}

/** Calls `onConnected` when an informer starts to watch, except after a watch that ended normally, because no event can be missed then. */
function createConnectionObserver(onConnected: () => void): InformerObserver {
  let previousState: string = 'idle';
  return (event) => {
    if (event.state === 'watching' && previousState !== 'watching') onConnected();
    previousState = event.state;
  };
}

const combineObservers =
  (first: InformerObserver, second: InformerObserver | undefined): InformerObserver =>
  (event) => {
    first(event);
    second?.(event);
  };

export interface EndpointFeedOptions {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly clock?: SteadyClock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: () => number;
  /** Milliseconds for which changes of a Service are collected, from the first one on; 2,000 by default. */
  readonly window?: number;
  /** Limits the feed to one namespace; all by default. */
  readonly namespace?: string;
  /** Limits the feed to these Services, as "namespace/name"; all by default. */
  readonly services?: readonly string[];
  /** The resource to read; EndpointSlices by default. */
  readonly source?: 'endpointslices' | 'endpoints';
  readonly onEvent?: InformerObserver;
}

/** The validated options, with defaults applied. */
export interface FeedSettings extends Required<Omit<EndpointFeedOptions, 'namespace' | 'services' | 'onEvent'>> {
  readonly namespace: string | undefined;
  readonly services: readonly string[] | undefined;
  readonly onEvent: InformerObserver | undefined;
}

/** @throws RangeError that names the invalid option */
export function createFeedSettings(options: EndpointFeedOptions): FeedSettings {
  const { clock = systemClock, random = Math.random, window = 2000, source = 'endpointslices', namespace, services, onEvent } = options;
  requireWholeNumber('window', window, 0);
  if (source !== 'endpointslices' && source !== 'endpoints') {
    throw new RangeError(`source is ${JSON.stringify(source)}: give "endpointslices" or "endpoints"`);
  }
  const invalidKey = services?.find((key) => !/^[^/]+\/[^/]+$/.test(key));
  if (invalidKey !== undefined) throw new RangeError(`services has ${JSON.stringify(invalidKey)}: give each as "namespace/name"`);
  const outsideKey = services?.find((key) => namespace !== undefined && !key.startsWith(`${namespace}/`));
  if (outsideKey !== undefined)
    throw new RangeError(`services has ${JSON.stringify(outsideKey)}, which is not in the namespace "${namespace}"`);
  return { port: options.port, clock, random, window, source, namespace, services, onEvent };
}
