import { slicesFromEndpoints } from 'kube-endpoints';
import { serviceNameLabel } from 'kube-endpoints/internal';
import { resources, type Selection } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { createInformer, createProjections, type Informer } from '../cache/index.ts';
import { isElectionLock, serviceOfSlice } from '../controllers/object-events.ts';
import { createSliceIndex } from '../controllers/slice-index.ts';
import type { Happening, Tell } from '../happening.ts';
import type { FeedSettings } from './options.ts';

/** Where the endpoints of Services are read. */
export interface Source {
  readonly informer: Pick<Informer<unknown>, 'run' | 'hasSynced'>;
  /** The Services that are there and asked for. */
  keys(): Iterable<string>;
  /** What is said of a Service's endpoints, as slices; undefined where nothing is. */
  of(key: string): readonly EndpointSliceInput[] | undefined;
}

export interface SourceListener {
  /** Something that is said of a Service has changed. */
  changed(key: string): void;
  /** What is there has been read anew, or followed again after the connection was lost. */
  connected(): void;
}

export function createSource(settings: FeedSettings, listener: SourceListener): Source {
  const { source, services } = settings;
  const wanted = services && new Set(services);
  const changed = (key: string | undefined): void => {
    if (key !== undefined && (!wanted || wanted.has(key))) listener.changed(key);
  };
  const tell = both(connections(listener.connected), settings.tell);
  return source === 'endpoints' ? ofEndpoints(settings, changed, tell) : ofSlices(settings, changed, tell);
}

type Changed = (key: string | undefined) => void;

function ofSlices(settings: FeedSettings, changed: Changed, tell: Tell): Source {
  const { port, clock, random, services } = settings;
  const selection = { ...selectionOf(settings), ...labelsOf(services) };
  const project = createProjections().slice;
  const informer = createInformer({ port, resource: resources.endpointSlices, selection, project, clock, random, tell });
  const index = createSliceIndex();
  const wanted = services && new Set(services);
  informer.listen((event) => {
    index.take(event);
    const key = serviceOfSlice(event.object);
    changed(key);
    const before = event.type === 'updated' ? serviceOfSlice(event.old) : key;
    if (before !== key) changed(before);
  });
  return {
    informer,
    *keys() {
      const seen = new Set<string>();
      for (const slice of informer.cache.values()) {
        const key = serviceOfSlice(slice);
        if (key === undefined || seen.has(key) || (wanted && !wanted.has(key))) continue;
        seen.add(key);
        yield key;
      }
    },
    of(key) {
      const slices = index.of(key);
      return slices.length > 0 ? slices : undefined;
    },
  };
}

function ofEndpoints(settings: FeedSettings, changed: Changed, tell: Tell): Source {
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
    tell,
  });
  informer.listen((_, key) => changed(key));
  return {
    informer,
    keys: () => (services ? services.filter((key) => informer.cache.get(key)) : informer.cache.keys()),
    of(key) {
      const endpoints = informer.cache.get(key);
      return endpoints && slicesFromEndpoints(endpoints, { maxEndpointsPerSlice: 1000 });
    },
  };
}

/** Of the Services that are asked for, the namespace, where it is one. */
function selectionOf({ namespace, services }: FeedSettings): Selection {
  if (namespace !== undefined) return { namespace };
  const namespaces = new Set(services?.map((key) => key.slice(0, key.indexOf('/'))));
  const [only] = namespaces;
  return namespaces.size === 1 && only !== undefined ? { namespace: only } : {};
}

/** A selector for many names would be too long for a request. */
function labelsOf(services: readonly string[] | undefined): Selection {
  if (!services || services.length === 0 || services.length > 20) return {};
  const names = [...new Set(services.map((key) => key.slice(key.indexOf('/') + 1)))];
  return { labelSelector: `${serviceNameLabel} in (${names.join(',')})` };
}

/** Calls where an informer comes to watch, except where the watch before came to its ordinary end: then nothing can have been missed. */
function connections(connected: () => void): Tell {
  let before: string = 'idle';
  return (happening: Happening) => {
    if (happening.kind !== 'informer') return;
    if (happening.state === 'watching' && before !== 'watching') connected();
    before = happening.state;
  };
}

const both =
  (first: Tell, second: Tell | undefined): Tell =>
  (happening) => {
    first(happening);
    second?.(happening);
  };
